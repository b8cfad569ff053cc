    // What the outputs should be: the keys of earlier cycles. A key, any of them, has a number of keys that are smaller.
