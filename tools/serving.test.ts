import { once } from 'node:events'
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isReadyAt, lead } from './serving.ts'

const folder = mkdtempSync(join(tmpdir(), 'murmur-serving-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the symlink switches to another server, and readiness is queried through it', async () => {
  const name = join(folder, 'serving')
  expect(await isReadyAt(name)).toBe(false)
  const servers = [200, 503].map((status) =>
    createServer((_request, response) => response.writeHead(status).end()).listen(
      join(folder, `${status}.sock`),
    ),
  )
  for (const server of servers) if (!server.listening) await once(server, 'listening')
  lead(name, join(folder, '200.sock'))
  expect(await isReadyAt(name)).toBe(true)
  lead(name, join(folder, '503.sock'))
  expect([readlinkSync(name), await isReadyAt(name)]).toEqual([join(folder, '503.sock'), false])
  for (const server of servers) server.close()
})
