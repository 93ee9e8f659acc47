// One Event message as views of its parts: nothing is copied, nothing is interpreted beyond the protobuf schema.
#pragma once

#include <deque>
#include <vector>

#include "bytes.h"
#include "format/tensor.h"

namespace seamark {

// The type of the values of a series. The numbers are part of the index format.
enum class Form : std::uint8_t {
  Scalar = 0,
  Tensor = 1,
  Image = 2,
  Histo = 3,
  Audio = 4,
  NoValue = 5,
  OldHisto = 6,
  GraphDef = 8,
  MetaGraphDef = 9,
  RunMetadata = 10,
  SessionLog = 11,
  LogMessage = 12,
};
constexpr std::size_t kForms = 13;
Form form_of(std::uint32_t number);  // throws std::invalid_argument if there is no such form

struct Value {  // Summary.Value
  Bytes message;
  Bytes tag;
  Bytes node_name;
  Bytes metadata;
  Tensor tensor;
  Form form = Form::NoValue;
  float simple = 0;

  Bytes name() const { return tag.empty() && form == Form::Tensor ? node_name : tag; }
};

struct Event {
  double wall_time = 0;
  std::int64_t step = 0;
  Bytes file_version;
  std::vector<Value> values;
  bool has_content = false;  // the event holds `content`, of one of the forms from GraphDef on
  Form form = Form::NoValue;
  Bytes content;
  Bytes content_tag;  // RunMetadata only
};

// Reuses its memory from one event to the next; the views are valid until the next parse.
class EventParser {
 public:
  // False if the message is malformed at any depth that Seamark or TensorBoard reads.
  bool parse(Bytes message);
  const Event& event() const { return event_; }

 private:
  bool parse_field(std::uint32_t number, Bytes content);
  bool parse_summary(Bytes summary);
  bool parse_value(Bytes message, Value& out);
  bool parse_content(Form form, Bytes content);
  void clear_one_of();
  bool check_metadata(Bytes metadata);
  bool parse_tensor(Bytes tensor, Value& out);
  Bytes join(Bytes first, Bytes second);

  Event event_;
  bool in_summary_ = false;
  std::deque<std::vector<std::uint8_t>> joined_;
  std::size_t joined_bytes_ = 0;
  std::vector<std::uint8_t> valid_metadata_;  // checked last: writers repeat the same metadata with every value
};

// True if SummaryMetadata declares the tag's tensors to be scalars.
bool is_scalar_metadata(Bytes metadata);
bool metadata_well_formed(Bytes metadata);
// The plugin's name in SummaryMetadata. False unless it has one plugin and all its text is ASCII: the caller parses
// other metadata with protobuf, which also checks UTF-8.
bool read_plugin_name(Bytes metadata, Bytes& name);

// The event that nearly every writer of scalars produces: wall time, step, and one value of tag and simple_value, in
// this order and nothing else. Matching it as a whole is several times faster than parsing its fields.
struct PlainScalar {
  double wall_time;
  std::int64_t step;
  Bytes tag;
  float value;
};
bool match_plain_scalar(Bytes message, PlainScalar& out);

// The event that TensorFlow 2 writes: the same, but the value is a tensor of one float, usually with metadata. The
// tag's metadata decides whether it is a scalar.
struct PlainTensor : PlainScalar {
  Bytes metadata;
};
bool match_plain_tensor(Bytes message, PlainTensor& out);

}  // namespace seamark
