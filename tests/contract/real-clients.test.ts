import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseHydraDocumentation } from '@api-platform/api-doc-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#tests/support/server-process.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

/** Unmodified third-party clients and linters: what they can't read, no client can. */
let shop: TestShop
let publicUrl: string

beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  shop = await testShop({ env: { PUBLIC_URL: publicUrl, DEMO: '1' } })
  await shop.app.listen({ port: Number(port), host: '127.0.0.1' })
})
afterAll(() => shop.close())

test('API-04: a Hydra client discovers every list of the shop from its entry point, with fields and operations', async () => {
  const entry = (await shop.app.inject('/api')).json() as Record<string, string>
  const lists = Object.entries(entry).filter(([name]) => !name.startsWith('@'))
  const { api } = await parseHydraDocumentation(`${publicUrl}/api`)

  expect(api.title).toBe('Murmur API')
  const resources = api.resources ?? []
  expect(resources.map(({ url }) => url)).toEqual(lists.map(([, path]) => `${publicUrl}${path}`))
  for (const { name, fields, operations } of resources) {
    expect(fields?.length, name).toBeGreaterThan(0)
    expect(
      operations?.map(({ type }) => type),
      name,
    ).toContain('list')
  }

  const fieldsOf = (name: string) =>
    Object.fromEntries(
      resources.find((resource) => resource.name === name)?.fields?.map((field) => [field.name, field]) ?? [],
    )
  expect(fieldsOf('audio_books')).toMatchObject({ title: { type: 'string' }, price: { type: 'decimal' } })
  const books = resources.find(({ name }) => name === 'audio_books')
  expect(books?.operations?.map(({ type }) => type)).toEqual(['list', 'show'])
  expect(fieldsOf('order_carts')).toMatchObject({ createdAt: { type: 'dateTime' } })
  expect(fieldsOf('user_e_book_places')).toMatchObject({ locator: { required: true } })
  const places = resources.find(({ name }) => name === 'user_e_book_places')
  expect(places?.operations?.map(({ type }) => type)).toEqual(['list', 'create'])
  expect(places?.writableFields?.map(({ name }) => name)).toContain('share')
})

test('the API’s description passes a linter, except for ambiguous paths that the specification requires', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'murmur-openapi-'))
  try {
    await writeFile(join(folder, 'openapi.json'), (await shop.app.inject('/api/docs.json')).body)
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        'openapi.json',
        '--extends=recommended',
        '--format=json',
        '--max-problems=1000',
      ],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }
    expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([])
    // The specification has both `/api/audio_books/{slug}/tag_related` and `/api/audio_books/claim/{token}`.
    for (const { message } of problems) expect(message).toMatch(/add-to-library|claim|given/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
