graph [
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
   edge [
      id 0
      source 0
      target 1
      weight 0.5
   ]
   edge [
      id 1
      source 0
      target 3
      weight 0.001
   ]
   edge [
      id 2
      source 1
      target 2
      weight 2.25
   ]
   edge [
      id 3
      source 2
      target 3
      weight 3
   ]
]
