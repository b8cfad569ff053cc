graph [
  directed 1
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
  edge [
    source 0
    target 1
    weight 5
  ]
  edge [
    source 1
    target 0
    weight 3
  ]
  edge [
    source 1
    target 2
    weight 8
  ]
  edge [
    source 2
    target 2
    weight 1
  ]
  edge [
    source 3
    target 2
    weight 6
  ]
  edge [
    source 4
    target 0
    weight 2
  ]
]
