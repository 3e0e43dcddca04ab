// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser } from '#session/store.ts'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { NoPasswordYet } from './no-password-yet.tsx'

vi.mock('#net/call.ts', () => ({ call: vi.fn() }))
vi.mock('./passkey-ceremonies.ts', () => ({ make: async () => ({ challenge: 'c1', response: {} }) }))
const reloadUser = vi.hoisted(() => vi.fn(async () => undefined))
vi.mock('#session/session.ts', () => ({ reloadUser }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const robin = { uuid: 'u1', firstName: 'Robin', fullName: 'Robin Wallis' }
const become = (withoutPassword?: true) =>
  becomeUser(robin, { ...robin, email: 'robin@wallet.example', withoutPassword } as never)

test('paying: an account that a wallet made chooses a password, and is told why one is refused', async () => {
  become(true)
  render(<NoPasswordYet />)
  const field = await screen.findByLabelText('New password')
  vi.mocked(call).mockRejectedValueOnce(
    new NetProblem('refused', 422, {
      violations: [{ propertyPath: 'newPassword', message: 'This password is easy to guess.' }],
    }),
  )
  await userEvent.type(field, '12345678{Enter}')
  await screen.findByText('This password is easy to guess.')
  expect(reloadUser).not.toHaveBeenCalled()
  await userEvent.clear(field)
  await userEvent.type(field, 'a-quiet-ferry{Enter}')
  await soon(() => expect(reloadUser).toHaveBeenCalledOnce())
  expect(vi.mocked(call)).toHaveBeenLastCalledWith('POST /api/users/{id}/choose-password', {
    params: { id: 'u1' },
    body: { newPassword: 'a-quiet-ferry' },
  })
})

test('paying: an account that a wallet made can add a passkey instead, where the browser has them', async () => {
  become(true)
  render(<NoPasswordYet />)
  await screen.findByLabelText('New password')
  expect(screen.queryByRole('button', { name: 'Add a passkey instead' })).toBeNull()
  cleanup()
  vi.stubGlobal('PublicKeyCredential', {})
  render(<NoPasswordYet />)
  await userEvent.click(await screen.findByRole('button', { name: 'Add a passkey instead' }))
  await soon(() => expect(vi.mocked(call)).toHaveBeenCalledWith('POST /api/passkeys', expect.anything()))
})

test('paying: an account with a password is offered none', () => {
  become()
  const { container } = render(<NoPasswordYet />)
  expect(container.textContent).toBe('')
})
