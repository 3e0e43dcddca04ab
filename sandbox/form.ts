import { invalidRequest } from './errors.ts'

/** A request's parameters: text values, nested like `a[b][0]=c`. */
export interface Params {
  [name: string]: Param
}
export type Param = string | Param[] | Params

const MAX_DEPTH = 8

/** Parses `application/x-www-form-urlencoded`, with brackets encoded or not; numbered keys become lists. */
export function parseForm(text: string): Params {
  const params = empty()
  for (const [key, value] of new URLSearchParams(text)) {
    const [, first = key, rest = ''] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(key) ?? []
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!)]
    if (path.length > MAX_DEPTH) throw invalidRequest(`Invalid parameter: ${key}`, { param: key })
    put(params, path, value)
  }
  return inside(params)
}

/** An object without prototype, because a parameter can have any name. */
const empty = (): Params => Object.create(null)

function put(into: Params, path: readonly string[], value: string): void {
  let at = into
  for (const [index, name] of path.entries()) {
    const key = name === '' ? String(Object.keys(at).length) : name
    if (index === path.length - 1) at[key] = value
    else at = at[key] = isParams(at[key]) ? at[key] : empty()
  }
}

function listed(param: Param): Param {
  if (!isParams(param)) return param
  const read = inside(param)
  const names = Object.keys(read)
  const isList = names.length > 0 && names.every((name, index) => name === String(index))
  return isList ? Object.values(read) : read
}

function inside(params: Params): Params {
  const read = empty()
  for (const [name, value] of Object.entries(params)) read[name] = listed(value)
  return read
}

export const isParams = (param: Param | undefined): param is Params =>
  typeof param === 'object' && !Array.isArray(param)
