/**
 * The line on which each value of a JSON text begins, by its JSON pointer: `/audiobook/price` → 12. The text must be
 * valid JSON.
 */
export function linesByPointer(json: string): Map<string, number> {
  const lines = new Map<string, number>()
  let at = 0
  let line = 1

  const skip = () => {
    for (; at < json.length && /[\s:,]/.test(json[at]!); at++) if (json[at] === '\n') line++
  }
  const string = (): string => {
    const start = at
    for (at++; json[at] !== '"'; at++) if (json[at] === '\\') at++
    at++
    return JSON.parse(json.slice(start, at))
  }
  const value = (pointer: string): void => {
    skip()
    if (!lines.has(pointer)) lines.set(pointer, line)
    if (json[at] === '{' || json[at] === '[') {
      const close = json[at] === '{' ? '}' : ']'
      at++
      for (let index = 0; ; index++) {
        skip()
        if (json[at] === close) break
        if (close === ']') {
          value(`${pointer}/${index}`)
          continue
        }
        const startLine = line
        const key = `${pointer}/${string().replaceAll('~', '~0').replaceAll('/', '~1')}`
        lines.set(key, startLine)
        value(key)
      }
      at++
    } else if (json[at] === '"') string()
    else while (at < json.length && !/[\s,\]}]/.test(json[at]!)) at++
  }

  value('')
  return lines
}
