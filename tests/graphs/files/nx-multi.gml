graph [
  multigraph 1
  node [
    id 0
    label "0"
  ]
  node [
    id 1
    label "1"
  ]
  node [
    id 2
    label "2"
  ]
  node [
    id 3
    label "3"
  ]
  node [
    id 4
    label "4"
  ]
  node [
    id 5
    label "5"
  ]
  node [
    id 6
    label "6"
  ]
  edge [
    source 0
    target 1
    key 0
    weight 4
  ]
  edge [
    source 0
    target 1
    key 1
    weight 2
  ]
  edge [
    source 0
    target 2
    key 0
    weight 1
  ]
  edge [
    source 0
    target 5
    key 0
    weight 10
  ]
  edge [
    source 1
    target 2
    key 0
    weight 2
  ]
  edge [
    source 1
    target 4
    key 0
    weight 7
  ]
  edge [
    source 4
    target 5
    key 0
    weight 3
  ]
]
