"""Images: encoding pixels, and reading types and sizes from files."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from seamark.format.messages import Summary
from seamark.kinds import image
from seamark.kinds.payload import DecodeError

MIMES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp", "BMP": "image/bmp"}


def picture(file_format: str, size: tuple[int, int] = (37, 21), **options: object) -> bytes:
    out = BytesIO()
    pixels = np.arange(size[0] * size[1] * 3, dtype=np.uint32).reshape(size[1], size[0], 3) % 251
    Image.fromarray(pixels.astype(np.uint8)).save(out, format=file_format, **options)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("file_format", MIMES)
def test_type_and_size_come_from_the_bytes(file_format: str) -> None:
    data = picture(file_format)
    assert image.sniff(data) == MIMES[file_format]
    assert image.size_of(data) == (37, 21)


def test_the_size_is_read_from_every_webp_format() -> None:
    assert image.size_of(picture("WEBP", lossless=True)) == (37, 21)
    out = BytesIO()
    frames = [Image.new("RGB", (300, 5), color) for color in ("red", "blue")]
    frames[0].save(out, format="WEBP", save_all=True, append_images=frames[1:])
    assert image.size_of(out.getvalue()) == (300, 5)


def test_the_size_is_read_from_a_progressive_jpeg() -> None:
    assert image.size_of(picture("JPEG", progressive=True)) == (37, 21)


@pytest.mark.parametrize("file_format", MIMES)
def test_truncated_files_have_no_size(file_format: str) -> None:
    data = picture(file_format)
    for length in range(40):
        image.size_of(data[:length])
    assert image.size_of(data[:9]) is None


@pytest.mark.parametrize("shape", [(4, 6), (4, 6, 1), (4, 6, 3), (4, 6, 4), (2, 4, 6, 3)])
def test_pixels_are_encoded_as_png(shape: tuple[int, ...]) -> None:
    pixels = (np.arange(int(np.prod(shape))) % 256).reshape(shape).astype(np.uint8)
    decoded = image.decode(image.encode("i", pixels).SerializeToString())
    assert (decoded.width, decoded.height) == (6, 4)
    assert {item.mime for item in decoded.images} == {"image/png"}
    again = np.stack([np.asarray(Image.open(BytesIO(item.data))) for item in decoded.images])
    np.testing.assert_array_equal(again.reshape(shape), pixels)


def test_floats_use_all_values_and_do_not_overflow() -> None:
    pixels = np.array([[-1.0, 0.0, 0.5, 1.0, 2.0, np.nan, np.inf]])
    decoded = image.decode(image.encode("i", pixels).SerializeToString())
    assert np.asarray(Image.open(BytesIO(decoded.images[0].data))).tolist() == [[0, 0, 127, 255, 255, 0, 255]]


def test_encoded_files_are_not_changed() -> None:
    gif = picture("GIF")
    decoded = image.decode(image.encode_files("i", [gif, gif]).SerializeToString())
    assert decoded == image.Images(37, 21, (image.EncodedImage("image/gif", gif),) * 2)


def test_a_file_of_unknown_size_needs_width_and_height() -> None:
    with pytest.raises(ValueError, match="pass width and height"):
        image.encode_files("i", [b"?"])
    assert image.decode(image.encode_files("i", [b"?"], width=1, height=2).SerializeToString()).height == 2


def test_the_legacy_form_is_one_image() -> None:
    png = picture("PNG")
    value = Summary.Value(image=Summary.Image(width=37, height=21, encoded_image_string=png))
    assert image.decode(value.SerializeToString()) == image.Images(37, 21, (image.EncodedImage("image/png", png),))


@pytest.mark.parametrize("shape", [(3,), (4, 6, 2), (1, 1, 1, 1, 1)])
def test_wrong_shapes_are_rejected(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="wrong shape"):
        image.encode("i", np.zeros(shape, dtype=np.uint8))


def test_wrong_dtypes_are_rejected() -> None:
    with pytest.raises(ValueError, match="int64"):
        image.encode("i", np.zeros((2, 2), dtype=np.int64))


@pytest.mark.parametrize("strings", [[b"1"], [b"x", b"2"], [b"1", b"-2"], [b"9" * 5000, b"1"]])
def test_invalid_image_tensors_are_errors(strings: list[bytes]) -> None:
    from seamark.kinds.summary import tensor_value
    from seamark.kinds.tensor import from_strings

    value = tensor_value("i", from_strings(strings, shape=[len(strings)]), plugin_name="images")
    with pytest.raises(DecodeError):
        image.decode(value.SerializeToString())
