/** The names of a cycle in a graph, with the first one repeated at the end; undefined if the graph has no cycle. */
export function cycleIn(
  graph: Readonly<Record<string, readonly string[]>>,
  from = Object.keys(graph),
  path: readonly string[] = [],
): string[] | undefined {
  for (const name of from) {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    const found = cycleIn(graph, [...(graph[name] ?? [])], [...path, name])
    if (found) return found
  }
  return undefined
}
