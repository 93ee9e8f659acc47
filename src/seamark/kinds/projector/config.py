"""The projector's configuration: the embeddings to show, and the files that contain them."""

from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format

from seamark.format import messages
from seamark.kinds.payload import DecodeError

FILE_NAME = "projector_config.pbtxt"
PLUGIN_FOLDER = "plugins/org_tensorflow_tensorboard_projector"


@dataclass(frozen=True, slots=True)
class Sprite:
    image_path: str
    single_image_dim: tuple[int, ...]  # width and height of one thumbnail


@dataclass(frozen=True, slots=True)
class Embedding:
    tensor_name: str = ""
    tensor_path: str = ""
    tensor_shape: tuple[int, ...] = ()
    metadata_path: str = ""
    bookmarks_path: str = ""
    sprite: Sprite | None = None


@dataclass(frozen=True, slots=True)
class ProjectorConfig:
    embeddings: tuple[Embedding, ...] = ()
    model_checkpoint_path: str = ""
    model_checkpoint_dir: str = ""


def encode(config: ProjectorConfig) -> str:
    """The text of projector_config.pbtxt."""
    message = messages.ProjectorConfig(
        model_checkpoint_path=config.model_checkpoint_path,
        model_checkpoint_dir=config.model_checkpoint_dir,
        embeddings=[_embedding_message(embedding) for embedding in config.embeddings],
    )
    return text_format.MessageToString(message)


def decode(data: bytes) -> ProjectorConfig:
    """Parses projector_config.pbtxt; unknown fields are skipped."""
    try:
        message = text_format.Parse(data.decode("utf-8"), messages.ProjectorConfig(), allow_unknown_field=True)
    except (text_format.ParseError, ValueError, RecursionError) as error:
        raise DecodeError(f"projector config cannot be parsed: {error}") from error
    return ProjectorConfig(
        embeddings=tuple(_embedding(embedding) for embedding in message.embeddings),
        model_checkpoint_path=message.model_checkpoint_path,
        model_checkpoint_dir=message.model_checkpoint_dir,
    )


def assets_inside(config_dir: Path, path: str) -> bool:
    """Whether a path in a configuration stays in its folder, links followed. Others must not be served."""
    try:
        return (config_dir / path).resolve().is_relative_to(config_dir.resolve())
    except (ValueError, OSError, RuntimeError):  # a zero byte, too long a name, a loop of links
        return False


def _embedding(message: messages.EmbeddingInfo) -> Embedding:
    sprite = message.sprite
    return Embedding(
        tensor_name=message.tensor_name,
        tensor_path=message.tensor_path,
        tensor_shape=tuple(message.tensor_shape),
        metadata_path=message.metadata_path,
        bookmarks_path=message.bookmarks_path,
        sprite=Sprite(sprite.image_path, tuple(sprite.single_image_dim)) if message.HasField("sprite") else None,
    )


def _embedding_message(embedding: Embedding) -> messages.EmbeddingInfo:
    message = messages.EmbeddingInfo(
        tensor_name=embedding.tensor_name,
        tensor_path=embedding.tensor_path,
        tensor_shape=embedding.tensor_shape,
        metadata_path=embedding.metadata_path,
        bookmarks_path=embedding.bookmarks_path,
    )
    if embedding.sprite is not None:
        message.sprite.image_path = embedding.sprite.image_path
        message.sprite.single_image_dim.extend(embedding.sprite.single_image_dim)
    return message
