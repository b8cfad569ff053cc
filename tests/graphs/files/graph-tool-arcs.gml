graph [
   directed 1
   node [
      id 0
   ]
   node [
      id 1
   ]
   node [
      id 2
   ]
   node [
      id 3
   ]
   node [
      id 4
   ]
   edge [
      id 0
      source 0
      target 1
      weight 5
   ]
   edge [
      id 1
      source 1
      target 0
      weight 3
   ]
   edge [
      id 2
      source 1
      target 2
      weight 8
   ]
   edge [
      id 3
      source 2
      target 2
      weight 1
   ]
   edge [
      id 4
      source 3
      target 2
      weight 6
   ]
   edge [
      id 5
      source 4
      target 0
      weight 2
   ]
]
