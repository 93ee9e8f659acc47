// Field numbers of the messages that the core reads and writes, as in TensorFlow's .proto files.
#pragma once

#include <cstdint>

namespace seamark {

namespace event_field {
enum : std::uint32_t {
  kWallTime = 1,
  kStep = 2,
  kFileVersion = 3,
  kGraphDef = 4,
  kSummary = 5,
  kLogMessage = 6,
  kSessionLog = 7,
  kRunMetadata = 8,
  kMetaGraphDef = 9,
  kSourceMetadata = 10,
};
}  // namespace event_field

namespace summary_field {
enum : std::uint32_t { kValue = 1 };
}

// Summary.Value
namespace value_field {
enum : std::uint32_t {
  kTag = 1,
  kSimpleValue = 2,
  kOldHisto = 3,
  kImage = 4,
  kHisto = 5,
  kAudio = 6,
  kNodeName = 7,
  kTensor = 8,
  kMetadata = 9,
};
}  // namespace value_field

// SummaryMetadata and its PluginData
namespace metadata_field {
enum : std::uint32_t { kPluginData = 1, kDisplayName = 2, kDescription = 3, kDataClass = 4 };
}
namespace plugin_data_field {
enum : std::uint32_t { kPluginName = 1 };
}

// HistogramProto
namespace histogram_field {
enum : std::uint32_t { kBucketLimit = 6, kBucket = 7 };
}

// TensorProto
namespace tensor_field {
enum : std::uint32_t {
  kDtype = 1,
  kShape = 2,
  kContent = 4,
  kFloatVal = 5,
  kDoubleVal = 6,
  kIntVal = 7,
  kScomplexVal = 9,
  kInt64Val = 10,
  kBoolVal = 11,
  kDcomplexVal = 12,
  kHalfVal = 13,
  kUint32Val = 16,
  kUint64Val = 17,
  kFloat8Val = 18,
};
}  // namespace tensor_field

// TensorShapeProto and its Dim
namespace shape_field {
enum : std::uint32_t { kDim = 2, kUnknownRank = 3 };
}
namespace dim_field {
enum : std::uint32_t { kSize = 1 };
}

namespace graph_field {
enum : std::uint32_t { kNode = 1, kLibrary = 2, kVersions = 4, kDebugInfo = 5 };
}
namespace versions_field {
enum : std::uint32_t { kProducer = 1 };
}

// NodeDef
namespace node_field {
enum : std::uint32_t { kName = 1, kOp = 2, kInput = 3, kDevice = 4, kAttr = 5 };
}

// Of every map
namespace entry_field {
enum : std::uint32_t { kKey = 1, kValue = 2 };
}

// AttrValue and its ListValue, NameAttrList
namespace attr_field {
enum : std::uint32_t { kList = 1, kString = 2, kBool = 5, kType = 6, kShape = 7, kTensor = 8, kFunc = 10 };
}
namespace list_field {
enum : std::uint32_t { kType = 6, kShape = 7, kFunc = 9 };
}
namespace func_field {
enum : std::uint32_t { kName = 1 };
}

// FunctionDefLibrary, FunctionDef and its ArgAttrs
namespace library_field {
enum : std::uint32_t { kFunction = 1 };
}
namespace function_field {
enum : std::uint32_t { kSignature = 1, kNode = 3, kRet = 4, kArgAttr = 7 };
}
namespace arg_attrs_field {
enum : std::uint32_t { kAttr = 1 };
}

// OpDef and its ArgDef
namespace op_field {
enum : std::uint32_t { kName = 1, kInputArg = 2, kOutputArg = 3 };
}
namespace arg_field {
enum : std::uint32_t { kName = 1, kType = 3 };
}

// OmittedAttribute in seamark_graph.proto
namespace omitted_field {
enum : std::uint32_t { kName = 1, kForm = 2, kDtype = 3, kShape = 4, kSizeBytes = 5, kHead = 6 };
}
namespace stored_field {
enum : std::uint32_t { kAttr = 5, kOmitted = 15 };
}

// TaggedRunMetadata
namespace run_metadata_field {
enum : std::uint32_t { kTag = 1 };
}

namespace session_log_field {
enum : std::uint32_t { kStatus = 1 };
}

namespace source_metadata_field {
enum : std::uint32_t { kWriter = 1 };
}

// The DataType of a tensor; only those that can be read as a number.
namespace data_type {
enum : std::uint32_t {
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kInt64 = 9,
  kBool = 10,
  kBfloat16 = 14,
  kUint16 = 17,
  kHalf = 19,
  kUint32 = 22,
  kUint64 = 23,
  kFloat8E5m2 = 24,
  kFloat8E4m3fn = 25,
  kInt4 = 29,
  kUint4 = 30,
};
}  // namespace data_type

}  // namespace seamark
