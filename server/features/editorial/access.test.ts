import { expect, test } from 'vitest'
import { accessOf } from './serializers.ts'

const item = (member_only: boolean, minimum_tier: 'supporter' | 'reader' | null = null) => ({
  member_only,
  minimum_tier,
})

test('ROLE-12 ROLE-18: a member gets what the plan includes; otherwise access is `upgrade`', () => {
  expect(accessOf(item(true, 'reader'), 'supporter')).toBe('upgrade')
  expect(accessOf(item(true, 'reader'), 'reader')).toBe('open')
  expect(accessOf(item(true, 'reader'), 'avid')).toBe('open')
  expect(accessOf(item(true), 'supporter')).toBe('open')
})

test('without a membership, a member-only item is held back and a free one is not', () => {
  expect(accessOf(item(true), null)).toBe('member')
  expect(accessOf(item(false), null)).toBe('open')
})
