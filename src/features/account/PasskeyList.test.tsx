// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { PasskeyList } from './PasskeyList.tsx'

vi.mock('#net/call.ts', () => ({ call: vi.fn() }))
const make = vi.hoisted(() => vi.fn())
vi.mock('./passkey-ceremonies.ts', () => ({ make }))

let passkeys: object[]
beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  passkeys = []
  make.mockReset()
  vi.mocked(call).mockReset()
  vi.mocked(call).mockImplementation((async (name: string) =>
    name === 'GET /api/passkeys'
      ? { 'hydra:member': passkeys }
      : { challengeId: 'c1', options: {} }) as never)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const phone = {
  id: 'p1',
  name: 'Safari on an iPhone',
  createdAt: '2026-11-20T08:00:00.000Z',
  lastUsedAt: null,
  isSynced: true,
}
const calls = () => vi.mocked(call).mock.calls.map(([name]) => name)

test('paying: passkeys are listed with their last use, and one that is gone already counts as removed', async () => {
  passkeys = [phone]
  render(<PasskeyList ownerUuid="u1" />)
  await screen.findByText('Safari on an iPhone')
  screen.getByText('Added on 20th November 2026')
  vi.mocked(call).mockRejectedValueOnce(new NetProblem('refused', 404))
  passkeys = []
  fireEvent.click(screen.getByRole('button', { name: 'Remove Safari on an iPhone' }))
  await screen.findByText(/^With a passkey you log in by your fingerprint/)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('paying: a passkey is added by the browser’s dialog; closing it adds nothing and says so', async () => {
  render(<PasskeyList ownerUuid="u1" />)
  const add = await screen.findByRole('button', { name: 'Add a passkey' })
  make.mockRejectedValueOnce(Object.assign(new Error('closed'), { name: 'NotAllowedError' }))
  fireEvent.click(add)
  await soon(() => expect(screen.getByText('No passkey was used.')).toBeTruthy())
  expect(calls()).not.toContain('POST /api/passkeys')
  make.mockResolvedValueOnce({ challengeId: 'c1', response: {} })
  passkeys = [phone]
  fireEvent.click(add)
  await screen.findByText('Safari on an iPhone')
  expect(calls()).toContain('POST /api/passkeys')
})

test('paying: a browser without passkeys offers none', async () => {
  vi.unstubAllGlobals()
  render(<PasskeyList ownerUuid="u1" />)
  await screen.findByText(/^With a passkey/)
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
})
