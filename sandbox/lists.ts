import { invalidRequest, noSuch } from './errors.ts'
import type { Reader } from './params.ts'

export const LIST_PARAMS = ['limit', 'starting_after', 'ending_before', 'created', 'expand']

interface Listed {
  readonly id: string
  readonly created: number
}

/** One page of a list in Stripe's format, newest first. `all` is filtered and ordered oldest first. */
export function page<T extends Listed>(given: Reader, url: string, all: readonly T[]): object {
  const limit = given.integer('limit') ?? 10
  if (limit < 1 || limit > 100)
    throw invalidRequest('This value must be between 1 and 100.', { param: 'limit' })
  const newest = all.filter(inRange(given)).reverse()
  const after = given.text('starting_after')
  const before = given.text('ending_before')
  const place = (id: string) => {
    const index = newest.findIndex((each) => each.id === id)
    if (index < 0) throw noSuch('object', id, after ? 'starting_after' : 'ending_before')
    return index
  }
  if (before) {
    const end = place(before)
    const start = Math.max(0, end - limit)
    return { object: 'list', data: newest.slice(start, end), has_more: start > 0, url }
  }
  const start = after ? place(after) + 1 : 0
  return {
    object: 'list',
    data: newest.slice(start, start + limit),
    has_more: newest.length > start + limit,
    url,
  }
}

function inRange(given: Reader): (each: Listed) => boolean {
  if (!given.has('created')) return () => true
  const isExact = given.isText('created')
  const exact = isExact ? given.integer('created') : undefined
  const range = isExact ? undefined : given.nested('created', ['gt', 'gte', 'lt', 'lte'])
  const gt = range?.integer('gt') ?? -Infinity
  const gte = range?.integer('gte') ?? -Infinity
  const lt = range?.integer('lt') ?? Infinity
  const lte = range?.integer('lte') ?? Infinity
  return ({ created }) =>
    exact === undefined ? created > gt && created >= gte && created < lt && created <= lte : created === exact
}
