import { expect, test } from 'vitest'
import { type Limit, limitKey } from './rate-limit.ts'

const LIMIT: Limit = { name: 'log-in of', most: 5, windowSeconds: 60 }

test('the key of a limit names what was tried and hides who tried it', () => {
  const key = limitKey(LIMIT, 'ada@post.example at 203.0.113.9')
  expect(key).toMatch(/^log-in of [\w-]{43}$/)
  expect(key).toBe(limitKey(LIMIT, 'ada@post.example at 203.0.113.9'))
  expect(key).not.toBe(limitKey(LIMIT, 'bea@post.example at 203.0.113.9'))
})
