import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { schemaForSerialiser } from '#server/http/schemas.ts'
import { makeCall, servedCalls } from './calls.ts'
import { closed, type Described, describedApi, replyFile, replySchema as replyOf } from './reply-schema.ts'
import type { SampleCall } from './sample-call.ts'
import { buildWorld, type World } from './world.ts'

let world: World
let described: Described
let calls: Map<string, SampleCall>

beforeAll(async () => {
  world = await buildWorld()
  described = await describedApi(world)
  calls = await servedCalls(world)
})
afterAll(() => world.shop.close())

/** Every endpoint that a file of the contract exports. */
async function contractEndpoints(): Promise<Endpoint[]> {
  const folder = join(import.meta.dirname, '../../contract')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const rooms: Record<string, unknown>[] = await Promise.all(files.map((name) => import(join(folder, name))))
  return rooms.flatMap((room) =>
    Object.values(room).filter(
      (value): value is Endpoint =>
        typeof value === 'object' && value !== null && 'method' in value && 'path' in value,
    ),
  )
}

test('API-01: every call of the contract is served under /api, and described', async () => {
  const endpoints = await contractEndpoints()
  expect(endpoints.length).toBeGreaterThan(20)
  for (const { method, path } of endpoints) {
    expect(path).toMatch(/^\/api\//)
    expect([...calls.keys()]).toContain(`${method} ${path}`)
  }
})

test('no response schema needs a validator, which would delay the first request', async () => {
  for (const { method, path, reply } of await contractEndpoints())
    expect(JSON.stringify(schemaForSerialiser(reply ?? {})), `${method} ${path}`).not.toContain('anyOf')
})

test('API-04: every list is a Hydra collection with its members and their number', async () => {
  const lists = [...calls.keys()].filter((name) =>
    JSON.stringify(replySchema(name) ?? {}).includes('hydra:member'),
  )
  expect(lists.length).toBeGreaterThan(10)
  for (const name of lists.filter((list) => list.startsWith('GET'))) {
    const list = (await makeCall(world, name, calls.get(name)?.by ?? 'owner')).json()
    expect(list['@type'], name).toBe('hydra:Collection')
    expect(Array.isArray(list['hydra:member']), name).toBe(true)
    expect(Number.isInteger(list['hydra:totalItems']), name).toBe(true)
  }
})

test('API-05: every response contains only what its published schema lists', async () => {
  for (const [name, { statuses, by = 'owner' }] of calls) {
    const answer = await makeCall(world, name, by)
    expect(answer.statusCode, name).toBe(statuses[by])
    if (statuses[by] >= 300) continue
    if (replyFile(described, name)) continue
    const schema = replySchema(name)
    expect(answer.body === '', name).toBe(!schema)
    if (!schema) continue
    expect(answer.headers['content-type'], name).toMatch(/^application\/(ld\+)?json/)
    const fits = closed(schema)
    expect(fits(answer.json()) || fits.errors, name).toBe(true)
  }
})

test('in step: a response that is a file has the media type that is published', async () => {
  const files = [...calls].filter(([name]) => replyFile(described, name))
  expect(files.length).toBeGreaterThan(2)
  for (const [name, { by = 'owner' }] of files) {
    const answer = await makeCall(world, name, by)
    expect(answer.headers['content-type'], name).toBe(replyFile(described, name))
    expect(answer.rawPayload.length, name).toBeGreaterThan(0)
  }
})

test('API-03: a change is sent as merge patch, linked data or plain JSON', async () => {
  for (const type of ['application/merge-patch+json', 'application/ld+json', 'application/json']) {
    const answer = await makeCall(world, 'PATCH /api/user_audio_book_times/{id}', 'owner', {
      headers: { 'content-type': type },
    })
    expect(answer.statusCode, type).toBe(200)
  }
})

const replySchema = (name: string) => replyOf(described, name)
