// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '#net/call.ts'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { ProveByPasskey } from './ProveForm.tsx'

vi.mock('#net/call.ts', () => ({ call: vi.fn() }))
const make = vi.hoisted(() => vi.fn())
vi.mock('./passkey-ceremonies.ts', () => ({ answer: make }))

let passkeys: object[] = []
const onDone = vi.fn()
beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  onDone.mockReset()
  vi.mocked(call).mockImplementation((async (name: string) =>
    name === 'GET /api/passkeys'
      ? { 'hydra:member': passkeys }
      : { challengeId: 'c1', options: {} }) as never)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('paying: a passkey proves an account; a dialog that is closed proves nothing and says so', async () => {
  passkeys = [{ id: 'p1', name: 'A phone', createdAt: '2026-11-20T08:00:00.000Z', lastUsedAt: null }]
  render(<ProveByPasskey owner="u1" onDone={onDone} />)
  const press = await screen.findByRole('button', { name: 'Use your passkey' })
  make.mockRejectedValueOnce(Object.assign(new Error('closed'), { name: 'NotAllowedError' }))
  fireEvent.click(press)
  await screen.findByText('No passkey was used.')
  expect(onDone).not.toHaveBeenCalled()
  make.mockResolvedValueOnce({ challengeId: 'c1', response: {} })
  fireEvent.click(press)
  await soon(() => expect(onDone).toHaveBeenCalledOnce())
})

test('paying: an account without passkeys is asked for none', async () => {
  passkeys = []
  const { container } = render(<ProveByPasskey owner="u2" onDone={onDone} />)
  await soon(() => expect(vi.mocked(call)).toHaveBeenCalledWith('GET /api/passkeys', expect.anything()))
  expect(container.textContent).toBe('')
})
