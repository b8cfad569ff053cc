// The look-up as a model: a queue of lanes that wait for their turn, and the reads that are under way.
#include "unruly_unit.h"
#include <deque>
#include <map>

struct probe {
  static constexpr uint32_t NOWHERE = 0xffffffff;
  Out out;
  uint64_t stat_found = 0;
  uint64_t table = 0;
  uint32_t mask = 0;
  uint32_t keys[32] = {};
  std::deque<int> waiting;
  std::map<int, int> reading; // lane by tag

  probe() { show(); }

  uint32_t bucket(int lane) const {
    uint32_t key = keys[lane];
    return (key ^ key >> 7 ^ key >> 15) & mask;
  }

  void take(const In &in) {
    int first = __builtin_ctz(in.request_lanes);
    if (in.request_operation == 0) {
      table = (uint64_t)in.request_b[first] << 32 | (in.request_a[first] & ~31u);
      return;
    }
    mask = in.request_b[first];
    for (int lane = 0; lane < 32; lane++) {
      keys[lane] = in.request_a[lane];
      if (in.request_lanes >> lane & 1)
        waiting.push_back(lane);
    }
    out.answer_tag = in.request_tag;
    out.answer_lanes = in.request_lanes;
    out.busy = true;
  }

  void reply(int lane, const uint32_t *have) {
    uint32_t place = NOWHERE;
    for (int p = 7; p >= 0; p--)
      if (have[p] == keys[lane])
        place = 8 * bucket(lane) + p;
    out.answer_data[lane] = place;
    stat_found += place != NOWHERE;
  }

  // The request on the pins: of the first lane that waits, when its tag is free.
  void show() {
    out.request_ready = !out.busy;
    out.reply_ready = true;
    int lane = waiting.empty() ? 0 : waiting.front();
    out.memory_valid = !waiting.empty() && !reading.count(lane % 16);
    out.memory_tag = lane % 16;
    out.memory_size = 5;
    out.memory_address = table + 32 * (uint64_t)bucket(lane);
  }

  void clock(const In &in) {
    if (!out.busy) {
      if (in.request_valid)
        take(in);
    } else if (out.answer_valid) {
      if (in.answer_ready)
        out.answer_valid = out.busy = false;
    } else {
      out.answer_valid = waiting.empty() && reading.empty();
      if (in.reply_valid) {
        reply(reading.at(in.reply_tag), in.reply_data);
        reading.erase(in.reply_tag);
      }
      if (out.memory_valid && in.memory_ready) {
        reading[out.memory_tag] = waiting.front();
        waiting.pop_front();
      }
    }
    show();
  }
};
