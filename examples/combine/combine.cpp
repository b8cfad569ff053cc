// The combiner as a model: the sums are made at once, and come when the Verilog has added up one key a cycle.
#include "unruly_unit.h"
#include <map>

struct combine {
  Out out;
  uint64_t stat_keys = 0;
  unsigned keys_left = 0;

  combine() { out.request_ready = out.reply_ready = true; }

  void take(const In &in) {
    std::map<uint32_t, int> first;
    for (int lane = 0; lane < 32; lane++) {
      out.answer_data[lane] = 0;
      if (in.request_lanes >> lane & 1)
        out.answer_data[first.emplace(in.request_a[lane], lane).first->second] += in.request_b[lane];
    }
    out.answer_tag = in.request_tag;
    out.answer_lanes = in.request_lanes;
    out.request_ready = false;
    out.busy = true;
    keys_left = first.size();
  }

  void clock(const In &in) {
    if (out.answer_valid) {
      if (in.answer_ready) {
        out.answer_valid = out.busy = false;
        out.request_ready = true;
      }
    } else if (!out.busy) {
      if (in.request_valid)
        take(in);
    } else if (keys_left > 0) {
      keys_left--;
      stat_keys++;
    } else {
      out.answer_valid = true;
    }
  }
};
