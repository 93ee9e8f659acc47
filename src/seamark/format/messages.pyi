# Made by tools/make_messages.py from proto/*.proto; do not edit.
# ruff: noqa: E501, N802
# fmt: off
from collections.abc import Iterable, Mapping
from typing import Literal

from google.protobuf.internal.containers import (
    MessageMap,
    RepeatedCompositeFieldContainer,
    RepeatedScalarFieldContainer,
    ScalarMap,
)
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

PACKAGE: str

class _DataType(EnumTypeWrapper):
    DT_INVALID: int
    DT_FLOAT: int
    DT_DOUBLE: int
    DT_INT32: int
    DT_UINT8: int
    DT_INT16: int
    DT_INT8: int
    DT_STRING: int
    DT_COMPLEX64: int
    DT_INT64: int
    DT_BOOL: int
    DT_QINT8: int
    DT_QUINT8: int
    DT_QINT32: int
    DT_BFLOAT16: int
    DT_QINT16: int
    DT_QUINT16: int
    DT_UINT16: int
    DT_COMPLEX128: int
    DT_HALF: int
    DT_RESOURCE: int
    DT_VARIANT: int
    DT_UINT32: int
    DT_UINT64: int
    DT_FLOAT8_E5M2: int
    DT_FLOAT8_E4M3FN: int
    DT_FLOAT8_E4M3FNUZ: int
    DT_FLOAT8_E4M3B11FNUZ: int
    DT_FLOAT8_E5M2FNUZ: int
    DT_INT4: int
    DT_UINT4: int
    DT_INT2: int
    DT_UINT2: int
    DT_FLOAT4_E2M1FN: int
    DT_FLOAT_REF: int
    DT_DOUBLE_REF: int
    DT_INT32_REF: int
    DT_UINT8_REF: int
    DT_INT16_REF: int
    DT_INT8_REF: int
    DT_STRING_REF: int
    DT_COMPLEX64_REF: int
    DT_INT64_REF: int
    DT_BOOL_REF: int
    DT_QINT8_REF: int
    DT_QUINT8_REF: int
    DT_QINT32_REF: int
    DT_BFLOAT16_REF: int
    DT_QINT16_REF: int
    DT_QUINT16_REF: int
    DT_UINT16_REF: int
    DT_COMPLEX128_REF: int
    DT_HALF_REF: int
    DT_RESOURCE_REF: int
    DT_VARIANT_REF: int
    DT_UINT32_REF: int
    DT_UINT64_REF: int
    DT_FLOAT8_E5M2_REF: int
    DT_FLOAT8_E4M3FN_REF: int
    DT_FLOAT8_E4M3FNUZ_REF: int
    DT_FLOAT8_E4M3B11FNUZ_REF: int
    DT_FLOAT8_E5M2FNUZ_REF: int
    DT_INT4_REF: int
    DT_UINT4_REF: int
    DT_INT2_REF: int
    DT_UINT2_REF: int
    DT_FLOAT4_E2M1FN_REF: int
DataType: _DataType

class TensorShape(Message):
    class Dim(Message):
        size: int
        name: str
        def __init__(
            self,
            *,
            size: int | None = ...,
            name: str | None = ...,
        ) -> None: ...
    @property
    def dim(self) -> RepeatedCompositeFieldContainer[TensorShape.Dim]: ...
    unknown_rank: bool
    def __init__(
        self,
        *,
        dim: Iterable[TensorShape.Dim] | None = ...,
        unknown_rank: bool | None = ...,
    ) -> None: ...

class Tensor(Message):
    dtype: int
    @property
    def tensor_shape(self) -> TensorShape: ...
    version_number: int
    tensor_content: bytes
    @property
    def float_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def double_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def int_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def string_val(self) -> RepeatedScalarFieldContainer[bytes]: ...
    @property
    def scomplex_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def int64_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def bool_val(self) -> RepeatedScalarFieldContainer[bool]: ...
    @property
    def dcomplex_val(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def half_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def resource_handle_val(self) -> RepeatedCompositeFieldContainer[ResourceHandle]: ...
    @property
    def variant_val(self) -> RepeatedCompositeFieldContainer[VariantTensorData]: ...
    @property
    def uint32_val(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def uint64_val(self) -> RepeatedScalarFieldContainer[int]: ...
    float8_val: bytes
    def __init__(
        self,
        *,
        dtype: int | None = ...,
        tensor_shape: TensorShape | None = ...,
        version_number: int | None = ...,
        tensor_content: bytes | None = ...,
        float_val: Iterable[float] | None = ...,
        double_val: Iterable[float] | None = ...,
        int_val: Iterable[int] | None = ...,
        string_val: Iterable[bytes] | None = ...,
        scomplex_val: Iterable[float] | None = ...,
        int64_val: Iterable[int] | None = ...,
        bool_val: Iterable[bool] | None = ...,
        dcomplex_val: Iterable[float] | None = ...,
        half_val: Iterable[int] | None = ...,
        resource_handle_val: Iterable[ResourceHandle] | None = ...,
        variant_val: Iterable[VariantTensorData] | None = ...,
        uint32_val: Iterable[int] | None = ...,
        uint64_val: Iterable[int] | None = ...,
        float8_val: bytes | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["tensor_shape"]) -> bool: ...

class ResourceHandle(Message):
    class DtypeAndShape(Message):
        dtype: int
        @property
        def shape(self) -> TensorShape: ...
        def __init__(
            self,
            *,
            dtype: int | None = ...,
            shape: TensorShape | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["shape"]) -> bool: ...
    device: str
    container: str
    name: str
    hash_code: int
    maybe_type_name: str
    @property
    def dtypes_and_shapes(self) -> RepeatedCompositeFieldContainer[ResourceHandle.DtypeAndShape]: ...
    def __init__(
        self,
        *,
        device: str | None = ...,
        container: str | None = ...,
        name: str | None = ...,
        hash_code: int | None = ...,
        maybe_type_name: str | None = ...,
        dtypes_and_shapes: Iterable[ResourceHandle.DtypeAndShape] | None = ...,
    ) -> None: ...

class VariantTensorData(Message):
    type_name: str
    metadata: bytes
    @property
    def tensors(self) -> RepeatedCompositeFieldContainer[Tensor]: ...
    def __init__(
        self,
        *,
        type_name: str | None = ...,
        metadata: bytes | None = ...,
        tensors: Iterable[Tensor] | None = ...,
    ) -> None: ...

class _DataClass(EnumTypeWrapper):
    DATA_CLASS_UNKNOWN: int
    DATA_CLASS_SCALAR: int
    DATA_CLASS_TENSOR: int
    DATA_CLASS_BLOB_SEQUENCE: int
DataClass: _DataClass

class Event(Message):
    wall_time: float
    step: int
    file_version: str
    graph_def: bytes
    @property
    def summary(self) -> Summary: ...
    @property
    def log_message(self) -> LogMessage: ...
    @property
    def session_log(self) -> SessionLog: ...
    @property
    def tagged_run_metadata(self) -> TaggedRunMetadata: ...
    meta_graph_def: bytes
    @property
    def source_metadata(self) -> SourceMetadata: ...
    def __init__(
        self,
        *,
        wall_time: float | None = ...,
        step: int | None = ...,
        file_version: str | None = ...,
        graph_def: bytes | None = ...,
        summary: Summary | None = ...,
        log_message: LogMessage | None = ...,
        session_log: SessionLog | None = ...,
        tagged_run_metadata: TaggedRunMetadata | None = ...,
        meta_graph_def: bytes | None = ...,
        source_metadata: SourceMetadata | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["file_version", "graph_def", "summary", "log_message", "session_log", "tagged_run_metadata", "meta_graph_def", "source_metadata"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["what"]) -> Literal["file_version", "graph_def", "summary", "log_message", "session_log", "tagged_run_metadata", "meta_graph_def"] | None: ...

class SourceMetadata(Message):
    writer: str
    def __init__(
        self,
        *,
        writer: str | None = ...,
    ) -> None: ...

class LogMessage(Message):
    class _Level(EnumTypeWrapper):
        UNKNOWN: int
        DEBUGGING: int
        INFO: int
        WARN: int
        ERROR: int
        FATAL: int
    Level: _Level
    UNKNOWN: int
    DEBUGGING: int
    INFO: int
    WARN: int
    ERROR: int
    FATAL: int
    level: int
    message: str
    def __init__(
        self,
        *,
        level: int | None = ...,
        message: str | None = ...,
    ) -> None: ...

class SessionLog(Message):
    class _SessionStatus(EnumTypeWrapper):
        STATUS_UNSPECIFIED: int
        START: int
        STOP: int
        CHECKPOINT: int
    SessionStatus: _SessionStatus
    STATUS_UNSPECIFIED: int
    START: int
    STOP: int
    CHECKPOINT: int
    status: int
    checkpoint_path: str
    msg: str
    def __init__(
        self,
        *,
        status: int | None = ...,
        checkpoint_path: str | None = ...,
        msg: str | None = ...,
    ) -> None: ...

class TaggedRunMetadata(Message):
    tag: str
    run_metadata: bytes
    def __init__(
        self,
        *,
        tag: str | None = ...,
        run_metadata: bytes | None = ...,
    ) -> None: ...

class SummaryMetadata(Message):
    class PluginData(Message):
        plugin_name: str
        content: bytes
        def __init__(
            self,
            *,
            plugin_name: str | None = ...,
            content: bytes | None = ...,
        ) -> None: ...
    @property
    def plugin_data(self) -> SummaryMetadata.PluginData: ...
    display_name: str
    summary_description: str
    data_class: int
    def __init__(
        self,
        *,
        plugin_data: SummaryMetadata.PluginData | None = ...,
        display_name: str | None = ...,
        summary_description: str | None = ...,
        data_class: int | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["plugin_data"]) -> bool: ...

class HistogramProto(Message):
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    @property
    def bucket_limit(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def bucket(self) -> RepeatedScalarFieldContainer[float]: ...
    def __init__(
        self,
        *,
        min: float | None = ...,
        max: float | None = ...,
        num: float | None = ...,
        sum: float | None = ...,
        sum_squares: float | None = ...,
        bucket_limit: Iterable[float] | None = ...,
        bucket: Iterable[float] | None = ...,
    ) -> None: ...

class Summary(Message):
    class Image(Message):
        height: int
        width: int
        colorspace: int
        encoded_image_string: bytes
        def __init__(
            self,
            *,
            height: int | None = ...,
            width: int | None = ...,
            colorspace: int | None = ...,
            encoded_image_string: bytes | None = ...,
        ) -> None: ...
    class Audio(Message):
        sample_rate: float
        num_channels: int
        length_frames: int
        encoded_audio_string: bytes
        content_type: str
        def __init__(
            self,
            *,
            sample_rate: float | None = ...,
            num_channels: int | None = ...,
            length_frames: int | None = ...,
            encoded_audio_string: bytes | None = ...,
            content_type: str | None = ...,
        ) -> None: ...
    class Value(Message):
        tag: str
        node_name: str
        @property
        def metadata(self) -> SummaryMetadata: ...
        simple_value: float
        obsolete_old_style_histogram: bytes
        @property
        def image(self) -> Summary.Image: ...
        @property
        def histo(self) -> HistogramProto: ...
        @property
        def audio(self) -> Summary.Audio: ...
        @property
        def tensor(self) -> Tensor: ...
        def __init__(
            self,
            *,
            tag: str | None = ...,
            node_name: str | None = ...,
            metadata: SummaryMetadata | None = ...,
            simple_value: float | None = ...,
            obsolete_old_style_histogram: bytes | None = ...,
            image: Summary.Image | None = ...,
            histo: HistogramProto | None = ...,
            audio: Summary.Audio | None = ...,
            tensor: Tensor | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["metadata", "simple_value", "obsolete_old_style_histogram", "image", "histo", "audio", "tensor"]) -> bool: ...
        def WhichOneof(self, oneof_group: Literal["value"]) -> Literal["simple_value", "obsolete_old_style_histogram", "image", "histo", "audio", "tensor"] | None: ...
    @property
    def value(self) -> RepeatedCompositeFieldContainer[Summary.Value]: ...
    def __init__(
        self,
        *,
        value: Iterable[Summary.Value] | None = ...,
    ) -> None: ...

class _FullTypeId(EnumTypeWrapper):
    TFT_UNSET: int
    TFT_VAR: int
    TFT_ANY: int
    TFT_PRODUCT: int
    TFT_NAMED: int
    TFT_FOR_EACH: int
    TFT_CALLABLE: int
    TFT_BOOL: int
    TFT_UINT8: int
    TFT_UINT16: int
    TFT_UINT32: int
    TFT_UINT64: int
    TFT_INT8: int
    TFT_INT16: int
    TFT_INT32: int
    TFT_INT64: int
    TFT_HALF: int
    TFT_FLOAT: int
    TFT_DOUBLE: int
    TFT_COMPLEX64: int
    TFT_COMPLEX128: int
    TFT_STRING: int
    TFT_BFLOAT16: int
    TFT_TENSOR: int
    TFT_ARRAY: int
    TFT_OPTIONAL: int
    TFT_LITERAL: int
    TFT_ENCODED: int
    TFT_SHAPE_TENSOR: int
    TFT_DATASET: int
    TFT_RAGGED: int
    TFT_ITERATOR: int
    TFT_MUTEX_LOCK: int
    TFT_LEGACY_VARIANT: int
FullTypeId: _FullTypeId

class GraphDef(Message):
    @property
    def node(self) -> RepeatedCompositeFieldContainer[NodeDef]: ...
    @property
    def library(self) -> FunctionDefLibrary: ...
    version: int
    @property
    def versions(self) -> VersionDef: ...
    @property
    def debug_info(self) -> GraphDebugInfo: ...
    def __init__(
        self,
        *,
        node: Iterable[NodeDef] | None = ...,
        library: FunctionDefLibrary | None = ...,
        version: int | None = ...,
        versions: VersionDef | None = ...,
        debug_info: GraphDebugInfo | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["library", "versions", "debug_info"]) -> bool: ...

class GraphDebugInfo(Message):
    class FileLineCol(Message):
        file_index: int
        line: int
        col: int
        func: str
        code: str
        def __init__(
            self,
            *,
            file_index: int | None = ...,
            line: int | None = ...,
            col: int | None = ...,
            func: str | None = ...,
            code: str | None = ...,
        ) -> None: ...
    class StackTrace(Message):
        @property
        def file_line_cols(self) -> RepeatedCompositeFieldContainer[GraphDebugInfo.FileLineCol]: ...
        @property
        def frame_id(self) -> RepeatedScalarFieldContainer[int]: ...
        def __init__(
            self,
            *,
            file_line_cols: Iterable[GraphDebugInfo.FileLineCol] | None = ...,
            frame_id: Iterable[int] | None = ...,
        ) -> None: ...
    @property
    def files(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def traces(self) -> MessageMap[str, GraphDebugInfo.StackTrace]: ...
    @property
    def frames_by_id(self) -> MessageMap[int, GraphDebugInfo.FileLineCol]: ...
    @property
    def name_to_trace_id(self) -> ScalarMap[str, int]: ...
    @property
    def traces_by_id(self) -> MessageMap[int, GraphDebugInfo.StackTrace]: ...
    def __init__(
        self,
        *,
        files: Iterable[str] | None = ...,
        traces: Mapping[str, GraphDebugInfo.StackTrace] | None = ...,
        frames_by_id: Mapping[int, GraphDebugInfo.FileLineCol] | None = ...,
        name_to_trace_id: Mapping[str, int] | None = ...,
        traces_by_id: Mapping[int, GraphDebugInfo.StackTrace] | None = ...,
    ) -> None: ...

class VersionDef(Message):
    producer: int
    min_consumer: int
    @property
    def bad_consumers(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(
        self,
        *,
        producer: int | None = ...,
        min_consumer: int | None = ...,
        bad_consumers: Iterable[int] | None = ...,
    ) -> None: ...

class FullTypeDef(Message):
    type_id: int
    @property
    def args(self) -> RepeatedCompositeFieldContainer[FullTypeDef]: ...
    s: str
    i: int
    def __init__(
        self,
        *,
        type_id: int | None = ...,
        args: Iterable[FullTypeDef] | None = ...,
        s: str | None = ...,
        i: int | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["s", "i"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["attr"]) -> Literal["s", "i"] | None: ...

class NodeDef(Message):
    class ExperimentalDebugInfo(Message):
        @property
        def original_node_names(self) -> RepeatedScalarFieldContainer[str]: ...
        @property
        def original_func_names(self) -> RepeatedScalarFieldContainer[str]: ...
        def __init__(
            self,
            *,
            original_node_names: Iterable[str] | None = ...,
            original_func_names: Iterable[str] | None = ...,
        ) -> None: ...
    name: str
    op: str
    @property
    def input(self) -> RepeatedScalarFieldContainer[str]: ...
    device: str
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    @property
    def experimental_debug_info(self) -> NodeDef.ExperimentalDebugInfo: ...
    @property
    def experimental_type(self) -> FullTypeDef: ...
    def __init__(
        self,
        *,
        name: str | None = ...,
        op: str | None = ...,
        input: Iterable[str] | None = ...,
        device: str | None = ...,
        attr: Mapping[str, AttrValue] | None = ...,
        experimental_debug_info: NodeDef.ExperimentalDebugInfo | None = ...,
        experimental_type: FullTypeDef | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["experimental_debug_info", "experimental_type"]) -> bool: ...

class AttrValue(Message):
    class ListValue(Message):
        @property
        def s(self) -> RepeatedScalarFieldContainer[bytes]: ...
        @property
        def i(self) -> RepeatedScalarFieldContainer[int]: ...
        @property
        def f(self) -> RepeatedScalarFieldContainer[float]: ...
        @property
        def b(self) -> RepeatedScalarFieldContainer[bool]: ...
        @property
        def type(self) -> RepeatedScalarFieldContainer[int]: ...
        @property
        def shape(self) -> RepeatedCompositeFieldContainer[TensorShape]: ...
        @property
        def tensor(self) -> RepeatedCompositeFieldContainer[Tensor]: ...
        @property
        def func(self) -> RepeatedCompositeFieldContainer[NameAttrList]: ...
        def __init__(
            self,
            *,
            s: Iterable[bytes] | None = ...,
            i: Iterable[int] | None = ...,
            f: Iterable[float] | None = ...,
            b: Iterable[bool] | None = ...,
            type: Iterable[int] | None = ...,
            shape: Iterable[TensorShape] | None = ...,
            tensor: Iterable[Tensor] | None = ...,
            func: Iterable[NameAttrList] | None = ...,
        ) -> None: ...
    @property
    def list(self) -> AttrValue.ListValue: ...
    s: bytes
    i: int
    f: float
    b: bool
    type: int
    @property
    def shape(self) -> TensorShape: ...
    @property
    def tensor(self) -> Tensor: ...
    placeholder: str
    @property
    def func(self) -> NameAttrList: ...
    def __init__(
        self,
        *,
        list: AttrValue.ListValue | None = ...,
        s: bytes | None = ...,
        i: int | None = ...,
        f: float | None = ...,
        b: bool | None = ...,
        type: int | None = ...,
        shape: TensorShape | None = ...,
        tensor: Tensor | None = ...,
        placeholder: str | None = ...,
        func: NameAttrList | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["list", "s", "i", "f", "b", "type", "shape", "tensor", "placeholder", "func"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["value"]) -> Literal["list", "s", "i", "f", "b", "type", "shape", "tensor", "placeholder", "func"] | None: ...

class StoredAttributes(Message):
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    @property
    def omitted(self) -> RepeatedCompositeFieldContainer[OmittedAttribute]: ...
    def __init__(
        self,
        *,
        attr: Mapping[str, AttrValue] | None = ...,
        omitted: Iterable[OmittedAttribute] | None = ...,
    ) -> None: ...

class OmittedAttribute(Message):
    name: str
    form: int
    dtype: int
    @property
    def shape(self) -> TensorShape: ...
    size_bytes: int
    head: bytes
    def __init__(
        self,
        *,
        name: str | None = ...,
        form: int | None = ...,
        dtype: int | None = ...,
        shape: TensorShape | None = ...,
        size_bytes: int | None = ...,
        head: bytes | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["shape"]) -> bool: ...

class NameAttrList(Message):
    name: str
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    def __init__(
        self,
        *,
        name: str | None = ...,
        attr: Mapping[str, AttrValue] | None = ...,
    ) -> None: ...

class FunctionDefLibrary(Message):
    @property
    def function(self) -> RepeatedCompositeFieldContainer[FunctionDef]: ...
    @property
    def gradient(self) -> RepeatedCompositeFieldContainer[GradientDef]: ...
    @property
    def registered_gradients(self) -> RepeatedCompositeFieldContainer[RegisteredGradient]: ...
    def __init__(
        self,
        *,
        function: Iterable[FunctionDef] | None = ...,
        gradient: Iterable[GradientDef] | None = ...,
        registered_gradients: Iterable[RegisteredGradient] | None = ...,
    ) -> None: ...

class RegisteredGradient(Message):
    gradient_func: str
    registered_op_type: str
    def __init__(
        self,
        *,
        gradient_func: str | None = ...,
        registered_op_type: str | None = ...,
    ) -> None: ...

class GradientDef(Message):
    function_name: str
    gradient_func: str
    def __init__(
        self,
        *,
        function_name: str | None = ...,
        gradient_func: str | None = ...,
    ) -> None: ...

class FunctionDef(Message):
    class ArgAttrs(Message):
        @property
        def attr(self) -> MessageMap[str, AttrValue]: ...
        def __init__(
            self,
            *,
            attr: Mapping[str, AttrValue] | None = ...,
        ) -> None: ...
    @property
    def signature(self) -> OpDef: ...
    @property
    def node_def(self) -> RepeatedCompositeFieldContainer[NodeDef]: ...
    @property
    def ret(self) -> ScalarMap[str, str]: ...
    @property
    def attr(self) -> MessageMap[str, AttrValue]: ...
    @property
    def control_ret(self) -> ScalarMap[str, str]: ...
    @property
    def arg_attr(self) -> MessageMap[int, FunctionDef.ArgAttrs]: ...
    @property
    def resource_arg_unique_id(self) -> ScalarMap[int, int]: ...
    def __init__(
        self,
        *,
        signature: OpDef | None = ...,
        node_def: Iterable[NodeDef] | None = ...,
        ret: Mapping[str, str] | None = ...,
        attr: Mapping[str, AttrValue] | None = ...,
        control_ret: Mapping[str, str] | None = ...,
        arg_attr: Mapping[int, FunctionDef.ArgAttrs] | None = ...,
        resource_arg_unique_id: Mapping[int, int] | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["signature"]) -> bool: ...

class OpDef(Message):
    class ArgDef(Message):
        name: str
        description: str
        type: int
        type_attr: str
        number_attr: str
        type_list_attr: str
        @property
        def handle_data(self) -> RepeatedCompositeFieldContainer[ResourceHandle.DtypeAndShape]: ...
        is_ref: bool
        @property
        def experimental_full_type(self) -> FullTypeDef: ...
        def __init__(
            self,
            *,
            name: str | None = ...,
            description: str | None = ...,
            type: int | None = ...,
            type_attr: str | None = ...,
            number_attr: str | None = ...,
            type_list_attr: str | None = ...,
            handle_data: Iterable[ResourceHandle.DtypeAndShape] | None = ...,
            is_ref: bool | None = ...,
            experimental_full_type: FullTypeDef | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["experimental_full_type"]) -> bool: ...
    class AttrDef(Message):
        name: str
        type: str
        @property
        def default_value(self) -> AttrValue: ...
        description: str
        has_minimum: bool
        minimum: int
        @property
        def allowed_values(self) -> AttrValue: ...
        def __init__(
            self,
            *,
            name: str | None = ...,
            type: str | None = ...,
            default_value: AttrValue | None = ...,
            description: str | None = ...,
            has_minimum: bool | None = ...,
            minimum: int | None = ...,
            allowed_values: AttrValue | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["default_value", "allowed_values"]) -> bool: ...
    name: str
    @property
    def input_arg(self) -> RepeatedCompositeFieldContainer[OpDef.ArgDef]: ...
    @property
    def output_arg(self) -> RepeatedCompositeFieldContainer[OpDef.ArgDef]: ...
    @property
    def attr(self) -> RepeatedCompositeFieldContainer[OpDef.AttrDef]: ...
    summary: str
    description: str
    @property
    def deprecation(self) -> OpDeprecation: ...
    is_aggregate: bool
    is_stateful: bool
    is_commutative: bool
    allows_uninitialized_input: bool
    @property
    def control_output(self) -> RepeatedScalarFieldContainer[str]: ...
    is_distributed_communication: bool
    def __init__(
        self,
        *,
        name: str | None = ...,
        input_arg: Iterable[OpDef.ArgDef] | None = ...,
        output_arg: Iterable[OpDef.ArgDef] | None = ...,
        attr: Iterable[OpDef.AttrDef] | None = ...,
        summary: str | None = ...,
        description: str | None = ...,
        deprecation: OpDeprecation | None = ...,
        is_aggregate: bool | None = ...,
        is_stateful: bool | None = ...,
        is_commutative: bool | None = ...,
        allows_uninitialized_input: bool | None = ...,
        control_output: Iterable[str] | None = ...,
        is_distributed_communication: bool | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["deprecation"]) -> bool: ...

class OpDeprecation(Message):
    version: int
    explanation: str
    def __init__(
        self,
        *,
        version: int | None = ...,
        explanation: str | None = ...,
    ) -> None: ...

class MetaGraphDef(Message):
    class MetaInfoDef(Message):
        meta_graph_version: str
        @property
        def tags(self) -> RepeatedScalarFieldContainer[str]: ...
        tensorflow_version: str
        tensorflow_git_version: str
        def __init__(
            self,
            *,
            meta_graph_version: str | None = ...,
            tags: Iterable[str] | None = ...,
            tensorflow_version: str | None = ...,
            tensorflow_git_version: str | None = ...,
        ) -> None: ...
    @property
    def meta_info_def(self) -> MetaGraphDef.MetaInfoDef: ...
    @property
    def graph_def(self) -> GraphDef: ...
    def __init__(
        self,
        *,
        meta_info_def: MetaGraphDef.MetaInfoDef | None = ...,
        graph_def: GraphDef | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["meta_info_def", "graph_def"]) -> bool: ...

class RunMetadata(Message):
    class FunctionGraphs(Message):
        @property
        def partition_graphs(self) -> RepeatedCompositeFieldContainer[GraphDef]: ...
        @property
        def pre_optimization_graph(self) -> GraphDef: ...
        @property
        def post_optimization_graph(self) -> GraphDef: ...
        def __init__(
            self,
            *,
            partition_graphs: Iterable[GraphDef] | None = ...,
            pre_optimization_graph: GraphDef | None = ...,
            post_optimization_graph: GraphDef | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["pre_optimization_graph", "post_optimization_graph"]) -> bool: ...
    @property
    def step_stats(self) -> StepStats: ...
    @property
    def cost_graph(self) -> CostGraphDef: ...
    @property
    def partition_graphs(self) -> RepeatedCompositeFieldContainer[GraphDef]: ...
    @property
    def function_graphs(self) -> RepeatedCompositeFieldContainer[RunMetadata.FunctionGraphs]: ...
    @property
    def session_metadata(self) -> SessionMetadata: ...
    def __init__(
        self,
        *,
        step_stats: StepStats | None = ...,
        cost_graph: CostGraphDef | None = ...,
        partition_graphs: Iterable[GraphDef] | None = ...,
        function_graphs: Iterable[RunMetadata.FunctionGraphs] | None = ...,
        session_metadata: SessionMetadata | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["step_stats", "cost_graph", "session_metadata"]) -> bool: ...

class SessionMetadata(Message):
    name: str
    version: int
    def __init__(
        self,
        *,
        name: str | None = ...,
        version: int | None = ...,
    ) -> None: ...

class StepStats(Message):
    @property
    def dev_stats(self) -> RepeatedCompositeFieldContainer[DeviceStepStats]: ...
    def __init__(
        self,
        *,
        dev_stats: Iterable[DeviceStepStats] | None = ...,
    ) -> None: ...

class DeviceStepStats(Message):
    device: str
    @property
    def node_stats(self) -> RepeatedCompositeFieldContainer[NodeExecStats]: ...
    @property
    def thread_names(self) -> ScalarMap[int, str]: ...
    def __init__(
        self,
        *,
        device: str | None = ...,
        node_stats: Iterable[NodeExecStats] | None = ...,
        thread_names: Mapping[int, str] | None = ...,
    ) -> None: ...

class NodeExecStats(Message):
    node_name: str
    all_start_micros: int
    op_start_rel_micros: int
    op_end_rel_micros: int
    all_end_rel_micros: int
    @property
    def memory(self) -> RepeatedCompositeFieldContainer[AllocatorMemoryUsed]: ...
    @property
    def output(self) -> RepeatedCompositeFieldContainer[NodeOutput]: ...
    timeline_label: str
    scheduled_micros: int
    thread_id: int
    @property
    def referenced_tensor(self) -> RepeatedCompositeFieldContainer[AllocationDescription]: ...
    @property
    def memory_stats(self) -> MemoryStats: ...
    all_start_nanos: int
    op_start_rel_nanos: int
    op_end_rel_nanos: int
    all_end_rel_nanos: int
    scheduled_nanos: int
    def __init__(
        self,
        *,
        node_name: str | None = ...,
        all_start_micros: int | None = ...,
        op_start_rel_micros: int | None = ...,
        op_end_rel_micros: int | None = ...,
        all_end_rel_micros: int | None = ...,
        memory: Iterable[AllocatorMemoryUsed] | None = ...,
        output: Iterable[NodeOutput] | None = ...,
        timeline_label: str | None = ...,
        scheduled_micros: int | None = ...,
        thread_id: int | None = ...,
        referenced_tensor: Iterable[AllocationDescription] | None = ...,
        memory_stats: MemoryStats | None = ...,
        all_start_nanos: int | None = ...,
        op_start_rel_nanos: int | None = ...,
        op_end_rel_nanos: int | None = ...,
        all_end_rel_nanos: int | None = ...,
        scheduled_nanos: int | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["memory_stats"]) -> bool: ...

class AllocatorMemoryUsed(Message):
    allocator_name: str
    total_bytes: int
    peak_bytes: int
    live_bytes: int
    allocator_bytes_in_use: int
    @property
    def allocation_records(self) -> RepeatedCompositeFieldContainer[AllocationRecord]: ...
    def __init__(
        self,
        *,
        allocator_name: str | None = ...,
        total_bytes: int | None = ...,
        peak_bytes: int | None = ...,
        live_bytes: int | None = ...,
        allocator_bytes_in_use: int | None = ...,
        allocation_records: Iterable[AllocationRecord] | None = ...,
    ) -> None: ...

class AllocationRecord(Message):
    alloc_micros: int
    alloc_bytes: int
    def __init__(
        self,
        *,
        alloc_micros: int | None = ...,
        alloc_bytes: int | None = ...,
    ) -> None: ...

class NodeOutput(Message):
    slot: int
    @property
    def tensor_description(self) -> TensorDescription: ...
    def __init__(
        self,
        *,
        slot: int | None = ...,
        tensor_description: TensorDescription | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["tensor_description"]) -> bool: ...

class TensorDescription(Message):
    dtype: int
    @property
    def shape(self) -> TensorShape: ...
    @property
    def allocation_description(self) -> AllocationDescription: ...
    def __init__(
        self,
        *,
        dtype: int | None = ...,
        shape: TensorShape | None = ...,
        allocation_description: AllocationDescription | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["shape", "allocation_description"]) -> bool: ...

class AllocationDescription(Message):
    requested_bytes: int
    allocated_bytes: int
    allocator_name: str
    allocation_id: int
    has_single_reference: bool
    ptr: int
    def __init__(
        self,
        *,
        requested_bytes: int | None = ...,
        allocated_bytes: int | None = ...,
        allocator_name: str | None = ...,
        allocation_id: int | None = ...,
        has_single_reference: bool | None = ...,
        ptr: int | None = ...,
    ) -> None: ...

class MemoryStats(Message):
    temp_memory_size: int
    device_temp_memory_size: int
    persistent_memory_size: int
    device_persistent_memory_size: int
    @property
    def persistent_tensor_alloc_ids(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def device_persistent_tensor_alloc_ids(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(
        self,
        *,
        temp_memory_size: int | None = ...,
        device_temp_memory_size: int | None = ...,
        persistent_memory_size: int | None = ...,
        device_persistent_memory_size: int | None = ...,
        persistent_tensor_alloc_ids: Iterable[int] | None = ...,
        device_persistent_tensor_alloc_ids: Iterable[int] | None = ...,
    ) -> None: ...

class CostGraphDef(Message):
    class Node(Message):
        class InputInfo(Message):
            preceding_node: int
            preceding_port: int
            def __init__(
                self,
                *,
                preceding_node: int | None = ...,
                preceding_port: int | None = ...,
            ) -> None: ...
        class OutputInfo(Message):
            size: int
            alias_input_port: int
            @property
            def shape(self) -> TensorShape: ...
            dtype: int
            def __init__(
                self,
                *,
                size: int | None = ...,
                alias_input_port: int | None = ...,
                shape: TensorShape | None = ...,
                dtype: int | None = ...,
            ) -> None: ...
            def HasField(self, field_name: Literal["shape"]) -> bool: ...
        name: str
        device: str
        id: int
        @property
        def input_info(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node.InputInfo]: ...
        @property
        def output_info(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node.OutputInfo]: ...
        temporary_memory_size: int
        is_final: bool
        @property
        def control_input(self) -> RepeatedScalarFieldContainer[int]: ...
        compute_cost: int
        host_temp_memory_size: int
        device_temp_memory_size: int
        persistent_memory_size: int
        compute_time: int
        memory_time: int
        device_persistent_memory_size: int
        inaccurate: bool
        def __init__(
            self,
            *,
            name: str | None = ...,
            device: str | None = ...,
            id: int | None = ...,
            input_info: Iterable[CostGraphDef.Node.InputInfo] | None = ...,
            output_info: Iterable[CostGraphDef.Node.OutputInfo] | None = ...,
            temporary_memory_size: int | None = ...,
            is_final: bool | None = ...,
            control_input: Iterable[int] | None = ...,
            compute_cost: int | None = ...,
            host_temp_memory_size: int | None = ...,
            device_temp_memory_size: int | None = ...,
            persistent_memory_size: int | None = ...,
            compute_time: int | None = ...,
            memory_time: int | None = ...,
            device_persistent_memory_size: int | None = ...,
            inaccurate: bool | None = ...,
        ) -> None: ...
    class AggregatedCost(Message):
        cost: float
        dimension: str
        def __init__(
            self,
            *,
            cost: float | None = ...,
            dimension: str | None = ...,
        ) -> None: ...
    @property
    def node(self) -> RepeatedCompositeFieldContainer[CostGraphDef.Node]: ...
    @property
    def cost(self) -> RepeatedCompositeFieldContainer[CostGraphDef.AggregatedCost]: ...
    def __init__(
        self,
        *,
        node: Iterable[CostGraphDef.Node] | None = ...,
        cost: Iterable[CostGraphDef.AggregatedCost] | None = ...,
    ) -> None: ...

class _NullValue(EnumTypeWrapper):
    NULL_VALUE: int
NullValue: _NullValue

class _HParamType(EnumTypeWrapper):
    DATA_TYPE_UNSET: int
    DATA_TYPE_STRING: int
    DATA_TYPE_BOOL: int
    DATA_TYPE_FLOAT64: int
HParamType: _HParamType

class _DatasetType(EnumTypeWrapper):
    DATASET_UNKNOWN: int
    DATASET_TRAINING: int
    DATASET_VALIDATION: int
DatasetType: _DatasetType

class _SessionStatus(EnumTypeWrapper):
    STATUS_UNKNOWN: int
    STATUS_SUCCESS: int
    STATUS_FAILURE: int
    STATUS_RUNNING: int
SessionStatus: _SessionStatus

class Value(Message):
    null_value: int
    number_value: float
    string_value: str
    bool_value: bool
    @property
    def struct_value(self) -> Struct: ...
    @property
    def list_value(self) -> ListValue: ...
    def __init__(
        self,
        *,
        null_value: int | None = ...,
        number_value: float | None = ...,
        string_value: str | None = ...,
        bool_value: bool | None = ...,
        struct_value: Struct | None = ...,
        list_value: ListValue | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["kind"]) -> Literal["null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"] | None: ...

class Struct(Message):
    @property
    def fields(self) -> MessageMap[str, Value]: ...
    def __init__(
        self,
        *,
        fields: Mapping[str, Value] | None = ...,
    ) -> None: ...

class ListValue(Message):
    @property
    def values(self) -> RepeatedCompositeFieldContainer[Value]: ...
    def __init__(
        self,
        *,
        values: Iterable[Value] | None = ...,
    ) -> None: ...

class HParamsPluginData(Message):
    version: int
    @property
    def experiment(self) -> Experiment: ...
    @property
    def session_start_info(self) -> SessionStartInfo: ...
    @property
    def session_end_info(self) -> SessionEndInfo: ...
    def __init__(
        self,
        *,
        version: int | None = ...,
        experiment: Experiment | None = ...,
        session_start_info: SessionStartInfo | None = ...,
        session_end_info: SessionEndInfo | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["experiment", "session_start_info", "session_end_info"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["data"]) -> Literal["experiment", "session_start_info", "session_end_info"] | None: ...

class Experiment(Message):
    description: str
    user: str
    time_created_secs: float
    @property
    def hparam_infos(self) -> RepeatedCompositeFieldContainer[HParamInfo]: ...
    @property
    def metric_infos(self) -> RepeatedCompositeFieldContainer[MetricInfo]: ...
    name: str
    def __init__(
        self,
        *,
        description: str | None = ...,
        user: str | None = ...,
        time_created_secs: float | None = ...,
        hparam_infos: Iterable[HParamInfo] | None = ...,
        metric_infos: Iterable[MetricInfo] | None = ...,
        name: str | None = ...,
    ) -> None: ...

class HParamInfo(Message):
    name: str
    display_name: str
    description: str
    type: int
    @property
    def domain_discrete(self) -> ListValue: ...
    @property
    def domain_interval(self) -> Interval: ...
    differs: bool
    def __init__(
        self,
        *,
        name: str | None = ...,
        display_name: str | None = ...,
        description: str | None = ...,
        type: int | None = ...,
        domain_discrete: ListValue | None = ...,
        domain_interval: Interval | None = ...,
        differs: bool | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["domain_discrete", "domain_interval"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["domain"]) -> Literal["domain_discrete", "domain_interval"] | None: ...

class Interval(Message):
    min_value: float
    max_value: float
    def __init__(
        self,
        *,
        min_value: float | None = ...,
        max_value: float | None = ...,
    ) -> None: ...

class MetricName(Message):
    group: str
    tag: str
    def __init__(
        self,
        *,
        group: str | None = ...,
        tag: str | None = ...,
    ) -> None: ...

class MetricInfo(Message):
    @property
    def name(self) -> MetricName: ...
    display_name: str
    description: str
    dataset_type: int
    def __init__(
        self,
        *,
        name: MetricName | None = ...,
        display_name: str | None = ...,
        description: str | None = ...,
        dataset_type: int | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["name"]) -> bool: ...

class SessionStartInfo(Message):
    @property
    def hparams(self) -> MessageMap[str, Value]: ...
    model_uri: str
    monitor_url: str
    group_name: str
    start_time_secs: float
    def __init__(
        self,
        *,
        hparams: Mapping[str, Value] | None = ...,
        model_uri: str | None = ...,
        monitor_url: str | None = ...,
        group_name: str | None = ...,
        start_time_secs: float | None = ...,
    ) -> None: ...

class SessionEndInfo(Message):
    status: int
    end_time_secs: float
    def __init__(
        self,
        *,
        status: int | None = ...,
        end_time_secs: float | None = ...,
    ) -> None: ...

class OnnxEntry(Message):
    key: str
    value: str
    def __init__(
        self,
        *,
        key: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class OnnxOpset(Message):
    domain: str
    version: int
    def __init__(
        self,
        *,
        domain: str | None = ...,
        version: int | None = ...,
    ) -> None: ...

class OnnxTensor(Message):
    @property
    def dims(self) -> RepeatedScalarFieldContainer[int]: ...
    data_type: int
    @property
    def float_data(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def int32_data(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def string_data(self) -> RepeatedScalarFieldContainer[bytes]: ...
    @property
    def int64_data(self) -> RepeatedScalarFieldContainer[int]: ...
    name: str
    raw_data: bytes
    @property
    def double_data(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def uint64_data(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def external_data(self) -> RepeatedCompositeFieldContainer[OnnxEntry]: ...
    def __init__(
        self,
        *,
        dims: Iterable[int] | None = ...,
        data_type: int | None = ...,
        float_data: Iterable[float] | None = ...,
        int32_data: Iterable[int] | None = ...,
        string_data: Iterable[bytes] | None = ...,
        int64_data: Iterable[int] | None = ...,
        name: str | None = ...,
        raw_data: bytes | None = ...,
        double_data: Iterable[float] | None = ...,
        uint64_data: Iterable[int] | None = ...,
        external_data: Iterable[OnnxEntry] | None = ...,
    ) -> None: ...

class OnnxShape(Message):
    class Dim(Message):
        dim_value: int
        dim_param: str
        def __init__(
            self,
            *,
            dim_value: int | None = ...,
            dim_param: str | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["dim_value", "dim_param"]) -> bool: ...
        def WhichOneof(self, oneof_group: Literal["value"]) -> Literal["dim_value", "dim_param"] | None: ...
    @property
    def dim(self) -> RepeatedCompositeFieldContainer[OnnxShape.Dim]: ...
    def __init__(
        self,
        *,
        dim: Iterable[OnnxShape.Dim] | None = ...,
    ) -> None: ...

class OnnxType(Message):
    class Tensor(Message):
        elem_type: int
        @property
        def shape(self) -> OnnxShape: ...
        def __init__(
            self,
            *,
            elem_type: int | None = ...,
            shape: OnnxShape | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["shape"]) -> bool: ...
    class Container(Message):
        @property
        def elem_type(self) -> OnnxType: ...
        def __init__(
            self,
            *,
            elem_type: OnnxType | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["elem_type"]) -> bool: ...
    @property
    def tensor_type(self) -> OnnxType.Tensor: ...
    @property
    def sequence_type(self) -> OnnxType.Container: ...
    @property
    def sparse_tensor_type(self) -> OnnxType.Tensor: ...
    @property
    def optional_type(self) -> OnnxType.Container: ...
    def __init__(
        self,
        *,
        tensor_type: OnnxType.Tensor | None = ...,
        sequence_type: OnnxType.Container | None = ...,
        sparse_tensor_type: OnnxType.Tensor | None = ...,
        optional_type: OnnxType.Container | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["tensor_type", "sequence_type", "sparse_tensor_type", "optional_type"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["value"]) -> Literal["tensor_type", "sequence_type", "sparse_tensor_type", "optional_type"] | None: ...

class OnnxValueInfo(Message):
    name: str
    @property
    def type(self) -> OnnxType: ...
    @property
    def metadata_props(self) -> RepeatedCompositeFieldContainer[OnnxEntry]: ...
    def __init__(
        self,
        *,
        name: str | None = ...,
        type: OnnxType | None = ...,
        metadata_props: Iterable[OnnxEntry] | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["type"]) -> bool: ...

class OnnxAttribute(Message):
    name: str
    f: float
    i: int
    s: bytes
    @property
    def t(self) -> OnnxTensor: ...
    @property
    def g(self) -> OnnxGraph: ...
    @property
    def floats(self) -> RepeatedScalarFieldContainer[float]: ...
    @property
    def ints(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def strings(self) -> RepeatedScalarFieldContainer[bytes]: ...
    @property
    def tensors(self) -> RepeatedCompositeFieldContainer[OnnxTensor]: ...
    @property
    def graphs(self) -> RepeatedCompositeFieldContainer[OnnxGraph]: ...
    type: int
    ref_attr_name: str
    def __init__(
        self,
        *,
        name: str | None = ...,
        f: float | None = ...,
        i: int | None = ...,
        s: bytes | None = ...,
        t: OnnxTensor | None = ...,
        g: OnnxGraph | None = ...,
        floats: Iterable[float] | None = ...,
        ints: Iterable[int] | None = ...,
        strings: Iterable[bytes] | None = ...,
        tensors: Iterable[OnnxTensor] | None = ...,
        graphs: Iterable[OnnxGraph] | None = ...,
        type: int | None = ...,
        ref_attr_name: str | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["t", "g"]) -> bool: ...

class OnnxNode(Message):
    @property
    def input(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def output(self) -> RepeatedScalarFieldContainer[str]: ...
    name: str
    op_type: str
    @property
    def attribute(self) -> RepeatedCompositeFieldContainer[OnnxAttribute]: ...
    doc_string: str
    domain: str
    overload: str
    @property
    def metadata_props(self) -> RepeatedCompositeFieldContainer[OnnxEntry]: ...
    def __init__(
        self,
        *,
        input: Iterable[str] | None = ...,
        output: Iterable[str] | None = ...,
        name: str | None = ...,
        op_type: str | None = ...,
        attribute: Iterable[OnnxAttribute] | None = ...,
        doc_string: str | None = ...,
        domain: str | None = ...,
        overload: str | None = ...,
        metadata_props: Iterable[OnnxEntry] | None = ...,
    ) -> None: ...

class OnnxGraph(Message):
    @property
    def node(self) -> RepeatedCompositeFieldContainer[OnnxNode]: ...
    name: str
    @property
    def initializer(self) -> RepeatedCompositeFieldContainer[OnnxTensor]: ...
    @property
    def input(self) -> RepeatedCompositeFieldContainer[OnnxValueInfo]: ...
    @property
    def output(self) -> RepeatedCompositeFieldContainer[OnnxValueInfo]: ...
    @property
    def value_info(self) -> RepeatedCompositeFieldContainer[OnnxValueInfo]: ...
    def __init__(
        self,
        *,
        node: Iterable[OnnxNode] | None = ...,
        name: str | None = ...,
        initializer: Iterable[OnnxTensor] | None = ...,
        input: Iterable[OnnxValueInfo] | None = ...,
        output: Iterable[OnnxValueInfo] | None = ...,
        value_info: Iterable[OnnxValueInfo] | None = ...,
    ) -> None: ...

class OnnxFunction(Message):
    name: str
    @property
    def input(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def output(self) -> RepeatedScalarFieldContainer[str]: ...
    @property
    def node(self) -> RepeatedCompositeFieldContainer[OnnxNode]: ...
    domain: str
    @property
    def value_info(self) -> RepeatedCompositeFieldContainer[OnnxValueInfo]: ...
    overload: str
    def __init__(
        self,
        *,
        name: str | None = ...,
        input: Iterable[str] | None = ...,
        output: Iterable[str] | None = ...,
        node: Iterable[OnnxNode] | None = ...,
        domain: str | None = ...,
        value_info: Iterable[OnnxValueInfo] | None = ...,
        overload: str | None = ...,
    ) -> None: ...

class OnnxModel(Message):
    ir_version: int
    producer_name: str
    producer_version: str
    @property
    def graph(self) -> OnnxGraph: ...
    @property
    def opset_import(self) -> RepeatedCompositeFieldContainer[OnnxOpset]: ...
    @property
    def functions(self) -> RepeatedCompositeFieldContainer[OnnxFunction]: ...
    def __init__(
        self,
        *,
        ir_version: int | None = ...,
        producer_name: str | None = ...,
        producer_version: str | None = ...,
        graph: OnnxGraph | None = ...,
        opset_import: Iterable[OnnxOpset] | None = ...,
        functions: Iterable[OnnxFunction] | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["graph"]) -> bool: ...

class ScalarPluginData(Message):
    version: int
    def __init__(
        self,
        *,
        version: int | None = ...,
    ) -> None: ...

class HistogramPluginData(Message):
    version: int
    def __init__(
        self,
        *,
        version: int | None = ...,
    ) -> None: ...

class TextPluginData(Message):
    version: int
    def __init__(
        self,
        *,
        version: int | None = ...,
    ) -> None: ...

class ImagePluginData(Message):
    version: int
    converted_to_tensor: bool
    def __init__(
        self,
        *,
        version: int | None = ...,
        converted_to_tensor: bool | None = ...,
    ) -> None: ...

class AudioPluginData(Message):
    class _Encoding(EnumTypeWrapper):
        UNKNOWN: int
        WAV: int
    Encoding: _Encoding
    UNKNOWN: int
    WAV: int
    version: int
    encoding: int
    converted_to_tensor: bool
    def __init__(
        self,
        *,
        version: int | None = ...,
        encoding: int | None = ...,
        converted_to_tensor: bool | None = ...,
    ) -> None: ...

class PrCurvePluginData(Message):
    version: int
    num_thresholds: int
    def __init__(
        self,
        *,
        version: int | None = ...,
        num_thresholds: int | None = ...,
    ) -> None: ...

class MeshPluginData(Message):
    class _ContentType(EnumTypeWrapper):
        UNDEFINED: int
        VERTEX: int
        FACE: int
        COLOR: int
    ContentType: _ContentType
    UNDEFINED: int
    VERTEX: int
    FACE: int
    COLOR: int
    version: int
    name: str
    content_type: int
    json_config: str
    @property
    def shape(self) -> RepeatedScalarFieldContainer[int]: ...
    components: int
    def __init__(
        self,
        *,
        version: int | None = ...,
        name: str | None = ...,
        content_type: int | None = ...,
        json_config: str | None = ...,
        shape: Iterable[int] | None = ...,
        components: int | None = ...,
    ) -> None: ...

class Layout(Message):
    version: int
    @property
    def category(self) -> RepeatedCompositeFieldContainer[Category]: ...
    def __init__(
        self,
        *,
        version: int | None = ...,
        category: Iterable[Category] | None = ...,
    ) -> None: ...

class Category(Message):
    title: str
    @property
    def chart(self) -> RepeatedCompositeFieldContainer[Chart]: ...
    closed: bool
    def __init__(
        self,
        *,
        title: str | None = ...,
        chart: Iterable[Chart] | None = ...,
        closed: bool | None = ...,
    ) -> None: ...

class Chart(Message):
    title: str
    @property
    def multiline(self) -> MultilineChartContent: ...
    @property
    def margin(self) -> MarginChartContent: ...
    def __init__(
        self,
        *,
        title: str | None = ...,
        multiline: MultilineChartContent | None = ...,
        margin: MarginChartContent | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["multiline", "margin"]) -> bool: ...
    def WhichOneof(self, oneof_group: Literal["content"]) -> Literal["multiline", "margin"] | None: ...

class MultilineChartContent(Message):
    @property
    def tag(self) -> RepeatedScalarFieldContainer[str]: ...
    def __init__(
        self,
        *,
        tag: Iterable[str] | None = ...,
    ) -> None: ...

class MarginChartContent(Message):
    class Series(Message):
        value: str
        lower: str
        upper: str
        def __init__(
            self,
            *,
            value: str | None = ...,
            lower: str | None = ...,
            upper: str | None = ...,
        ) -> None: ...
    @property
    def series(self) -> RepeatedCompositeFieldContainer[MarginChartContent.Series]: ...
    def __init__(
        self,
        *,
        series: Iterable[MarginChartContent.Series] | None = ...,
    ) -> None: ...

class ProfileOptions(Message):
    include_dataset_ops: bool
    host_tracer_level: int
    device_tracer_level: int
    python_tracer_level: int
    version: int
    enable_hlo_proto: bool
    duration_ms: int
    def __init__(
        self,
        *,
        include_dataset_ops: bool | None = ...,
        host_tracer_level: int | None = ...,
        device_tracer_level: int | None = ...,
        python_tracer_level: int | None = ...,
        version: int | None = ...,
        enable_hlo_proto: bool | None = ...,
        duration_ms: int | None = ...,
    ) -> None: ...

class ProfileRequest(Message):
    duration_ms: int
    max_events: int
    @property
    def opts(self) -> ProfileOptions: ...
    repository_root: str
    session_id: str
    host_name: str
    emit_xspace: bool
    def __init__(
        self,
        *,
        duration_ms: int | None = ...,
        max_events: int | None = ...,
        opts: ProfileOptions | None = ...,
        repository_root: str | None = ...,
        session_id: str | None = ...,
        host_name: str | None = ...,
        emit_xspace: bool | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["opts"]) -> bool: ...

class ProfileToolData(Message):
    name: str
    data: bytes
    def __init__(
        self,
        *,
        name: str | None = ...,
        data: bytes | None = ...,
    ) -> None: ...

class ProfileResponse(Message):
    @property
    def tool_data(self) -> RepeatedCompositeFieldContainer[ProfileToolData]: ...
    empty_trace: bool
    xspace: bytes
    def __init__(
        self,
        *,
        tool_data: Iterable[ProfileToolData] | None = ...,
        empty_trace: bool | None = ...,
        xspace: bytes | None = ...,
    ) -> None: ...

class ProjectorConfig(Message):
    model_checkpoint_path: str
    @property
    def embeddings(self) -> RepeatedCompositeFieldContainer[EmbeddingInfo]: ...
    model_checkpoint_dir: str
    def __init__(
        self,
        *,
        model_checkpoint_path: str | None = ...,
        embeddings: Iterable[EmbeddingInfo] | None = ...,
        model_checkpoint_dir: str | None = ...,
    ) -> None: ...

class EmbeddingInfo(Message):
    tensor_name: str
    metadata_path: str
    bookmarks_path: str
    @property
    def tensor_shape(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def sprite(self) -> SpriteMetadata: ...
    tensor_path: str
    def __init__(
        self,
        *,
        tensor_name: str | None = ...,
        metadata_path: str | None = ...,
        bookmarks_path: str | None = ...,
        tensor_shape: Iterable[int] | None = ...,
        sprite: SpriteMetadata | None = ...,
        tensor_path: str | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["sprite"]) -> bool: ...

class SpriteMetadata(Message):
    image_path: str
    @property
    def single_image_dim(self) -> RepeatedScalarFieldContainer[int]: ...
    def __init__(
        self,
        *,
        image_path: str | None = ...,
        single_image_dim: Iterable[int] | None = ...,
    ) -> None: ...

class CheckpointState(Message):
    model_checkpoint_path: str
    def __init__(
        self,
        *,
        model_checkpoint_path: str | None = ...,
    ) -> None: ...

class BundleHeader(Message):
    class _Endianness(EnumTypeWrapper):
        LITTLE: int
        BIG: int
    Endianness: _Endianness
    LITTLE: int
    BIG: int
    num_shards: int
    endianness: int
    def __init__(
        self,
        *,
        num_shards: int | None = ...,
        endianness: int | None = ...,
    ) -> None: ...

class BundleEntry(Message):
    dtype: int
    @property
    def shape(self) -> TensorShape: ...
    shard_id: int
    offset: int
    size: int
    crc32c: int
    @property
    def slices(self) -> RepeatedCompositeFieldContainer[TensorSlice]: ...
    def __init__(
        self,
        *,
        dtype: int | None = ...,
        shape: TensorShape | None = ...,
        shard_id: int | None = ...,
        offset: int | None = ...,
        size: int | None = ...,
        crc32c: int | None = ...,
        slices: Iterable[TensorSlice] | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["shape"]) -> bool: ...

class SavedTensorSlices(Message):
    @property
    def meta(self) -> SavedTensorSliceMeta: ...
    def __init__(
        self,
        *,
        meta: SavedTensorSliceMeta | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["meta"]) -> bool: ...

class SavedTensorSliceMeta(Message):
    @property
    def tensor(self) -> RepeatedCompositeFieldContainer[SavedSliceMeta]: ...
    def __init__(
        self,
        *,
        tensor: Iterable[SavedSliceMeta] | None = ...,
    ) -> None: ...

class SavedSliceMeta(Message):
    name: str
    @property
    def shape(self) -> TensorShape: ...
    type: int
    @property
    def slice(self) -> RepeatedCompositeFieldContainer[TensorSlice]: ...
    def __init__(
        self,
        *,
        name: str | None = ...,
        shape: TensorShape | None = ...,
        type: int | None = ...,
        slice: Iterable[TensorSlice] | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["shape"]) -> bool: ...

class TensorSlice(Message):
    class Extent(Message):
        start: int
        length: int
        def __init__(
            self,
            *,
            start: int | None = ...,
            length: int | None = ...,
        ) -> None: ...
        def HasField(self, field_name: Literal["length"]) -> bool: ...
        def WhichOneof(self, oneof_group: Literal["has_length"]) -> Literal["length"] | None: ...
    @property
    def extent(self) -> RepeatedCompositeFieldContainer[TensorSlice.Extent]: ...
    def __init__(
        self,
        *,
        extent: Iterable[TensorSlice.Extent] | None = ...,
    ) -> None: ...

class PackedMessage(Message):
    type_url: str
    value: bytes
    def __init__(
        self,
        *,
        type_url: str | None = ...,
        value: bytes | None = ...,
    ) -> None: ...

class OverviewPage(Message):
    @property
    def input_analysis(self) -> InputPipelineAnalysisResult: ...
    @property
    def analysis(self) -> OverviewPageAnalysis: ...
    @property
    def recommendation(self) -> OverviewPageRecommendation: ...
    @property
    def run_environment(self) -> OverviewPageRunEnvironment: ...
    def __init__(
        self,
        *,
        input_analysis: InputPipelineAnalysisResult | None = ...,
        analysis: OverviewPageAnalysis | None = ...,
        recommendation: OverviewPageRecommendation | None = ...,
        run_environment: OverviewPageRunEnvironment | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["input_analysis", "analysis", "recommendation", "run_environment"]) -> bool: ...

class OverviewPageAnalysis(Message):
    device_compute_16bit_percent: float
    device_compute_32bit_percent: float
    def __init__(
        self,
        *,
        device_compute_16bit_percent: float | None = ...,
        device_compute_32bit_percent: float | None = ...,
    ) -> None: ...

class OverviewPageRecommendation(Message):
    statement: str
    def __init__(
        self,
        *,
        statement: str | None = ...,
    ) -> None: ...

class OverviewPageRunEnvironment(Message):
    host_count: int
    device_type: str
    device_core_count: int
    def __init__(
        self,
        *,
        host_count: int | None = ...,
        device_type: str | None = ...,
        device_core_count: int | None = ...,
    ) -> None: ...

class InputPipelineAnalysisResult(Message):
    @property
    def step_details(self) -> RepeatedCompositeFieldContainer[PackedMessage]: ...
    @property
    def input_op_details(self) -> RepeatedCompositeFieldContainer[InputOpDetails]: ...
    @property
    def recommendation(self) -> InputPipelineAnalysisRecommendation: ...
    hardware_type: str
    def __init__(
        self,
        *,
        step_details: Iterable[PackedMessage] | None = ...,
        input_op_details: Iterable[InputOpDetails] | None = ...,
        recommendation: InputPipelineAnalysisRecommendation | None = ...,
        hardware_type: str | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["recommendation"]) -> bool: ...

class InputPipelineAnalysisRecommendation(Message):
    @property
    def bottleneck_analysis(self) -> PackedMessage: ...
    def __init__(
        self,
        *,
        bottleneck_analysis: PackedMessage | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["bottleneck_analysis"]) -> bool: ...

class BottleneckAnalysis(Message):
    input_statement: str
    def __init__(
        self,
        *,
        input_statement: str | None = ...,
    ) -> None: ...

class InputOpDetails(Message):
    op_name: str
    count: int
    time_in_ms: float
    self_time_in_ms: float
    category: str
    def __init__(
        self,
        *,
        op_name: str | None = ...,
        count: int | None = ...,
        time_in_ms: float | None = ...,
        self_time_in_ms: float | None = ...,
        category: str | None = ...,
    ) -> None: ...

class PerGenericStepDetails(Message):
    step_number: int
    step_time_ms: float
    unknown_time_ms: float
    output_ms: float
    device_compute_ms: float
    device_to_device_ms: float
    host_compute_ms: float
    host_prepare_ms: float
    host_compile_ms: float
    host_wait_input_ms: float
    host_to_device_ms: float
    device_collectives_ms: float
    step_name: str
    def __init__(
        self,
        *,
        step_number: int | None = ...,
        step_time_ms: float | None = ...,
        unknown_time_ms: float | None = ...,
        output_ms: float | None = ...,
        device_compute_ms: float | None = ...,
        device_to_device_ms: float | None = ...,
        host_compute_ms: float | None = ...,
        host_prepare_ms: float | None = ...,
        host_compile_ms: float | None = ...,
        host_wait_input_ms: float | None = ...,
        host_to_device_ms: float | None = ...,
        device_collectives_ms: float | None = ...,
        step_name: str | None = ...,
    ) -> None: ...

class PerTpuStepDetails(Message):
    step_number: int
    tc_infeed_time_ms: float
    all_reduce_compute_time_ms: float
    all_reduce_sync_time_ms: float
    tc_compute_time_ms: float
    tc_idle_time_ms: float
    tc_outfeed_time_ms: float
    scv0_compute_time_ms: float
    scv0_infeed_time_ms: float
    def __init__(
        self,
        *,
        step_number: int | None = ...,
        tc_infeed_time_ms: float | None = ...,
        all_reduce_compute_time_ms: float | None = ...,
        all_reduce_sync_time_ms: float | None = ...,
        tc_compute_time_ms: float | None = ...,
        tc_idle_time_ms: float | None = ...,
        tc_outfeed_time_ms: float | None = ...,
        scv0_compute_time_ms: float | None = ...,
        scv0_infeed_time_ms: float | None = ...,
    ) -> None: ...

class TfStatsDatabase(Message):
    @property
    def with_idle(self) -> TfStatsTable: ...
    @property
    def without_idle(self) -> TfStatsTable: ...
    device_type: str
    def __init__(
        self,
        *,
        with_idle: TfStatsTable | None = ...,
        without_idle: TfStatsTable | None = ...,
        device_type: str | None = ...,
    ) -> None: ...
    def HasField(self, field_name: Literal["with_idle", "without_idle"]) -> bool: ...

class TfStatsTable(Message):
    @property
    def tf_stats_record(self) -> RepeatedCompositeFieldContainer[TfStatsRecord]: ...
    def __init__(
        self,
        *,
        tf_stats_record: Iterable[TfStatsRecord] | None = ...,
    ) -> None: ...

class TfStatsRecord(Message):
    host_or_device: str
    op_type: str
    op_name: str
    occurrences: int
    total_time_in_us: float
    total_self_time_in_us: float
    gpu_tensorcore_utilization: float
    def __init__(
        self,
        *,
        host_or_device: str | None = ...,
        op_type: str | None = ...,
        op_name: str | None = ...,
        occurrences: int | None = ...,
        total_time_in_us: float | None = ...,
        total_self_time_in_us: float | None = ...,
        gpu_tensorcore_utilization: float | None = ...,
    ) -> None: ...

class KernelStatsDb(Message):
    @property
    def reports(self) -> RepeatedCompositeFieldContainer[KernelReport]: ...
    def __init__(
        self,
        *,
        reports: Iterable[KernelReport] | None = ...,
    ) -> None: ...

class KernelReport(Message):
    name: str
    registers_per_thread: int
    static_shmem_bytes: int
    dynamic_shmem_bytes: int
    @property
    def block_dim(self) -> RepeatedScalarFieldContainer[int]: ...
    @property
    def grid_dim(self) -> RepeatedScalarFieldContainer[int]: ...
    total_duration_ns: int
    min_duration_ns: int
    max_duration_ns: int
    is_kernel_using_tensor_core: bool
    is_op_tensor_core_eligible: bool
    op_name: str
    occurrences: int
    occupancy_pct: float
    def __init__(
        self,
        *,
        name: str | None = ...,
        registers_per_thread: int | None = ...,
        static_shmem_bytes: int | None = ...,
        dynamic_shmem_bytes: int | None = ...,
        block_dim: Iterable[int] | None = ...,
        grid_dim: Iterable[int] | None = ...,
        total_duration_ns: int | None = ...,
        min_duration_ns: int | None = ...,
        max_duration_ns: int | None = ...,
        is_kernel_using_tensor_core: bool | None = ...,
        is_op_tensor_core_eligible: bool | None = ...,
        op_name: str | None = ...,
        occurrences: int | None = ...,
        occupancy_pct: float | None = ...,
    ) -> None: ...
