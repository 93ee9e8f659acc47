// An open file that is closed when its owner ends.
#pragma once

#include <unistd.h>

namespace seamark {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  bool is_open() const { return value_ >= 0; }

 private:
  int value_;
};

}  // namespace seamark
