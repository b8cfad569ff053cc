Creator "igraph version 1.0.0 Sat Nov 28 17:48:10 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
  ]
  node
  [
    id 1
  ]
  node
  [
    id 2
  ]
  node
  [
    id 3
  ]
  edge
  [
    source 1
    target 0
    weight 0.5
  ]
  edge
  [
    source 2
    target 1
    weight 2.25
  ]
  edge
  [
    source 3
    target 2
    weight 3
  ]
  edge
  [
    source 3
    target 0
    weight 0.001
  ]
]
