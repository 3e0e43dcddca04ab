// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/soon.ts'
import { SignUpScreen } from './SignUpScreen.tsx'

const { register, enter } = vi.hoisted(() => ({ register: vi.fn(), enter: vi.fn() }))
vi.mock('#features/account/mutations.ts', () => ({ register }))
vi.mock('#session/session.ts', () => ({ enter }))
vi.mock('#features/account/RegisterForm.tsx', () => ({
  RegisterForm: ({ register: send }: { register: (what: object) => Promise<void> }) => (
    <button onClick={() => void send({ email: 'joost@harbour.example' })}>Join Murmur</button>
  ),
}))
vi.mock('#features/account/CheckMail.tsx', () => ({
  CheckMail: ({ children }: { children: ReactNode }) => <section aria-label="Mail">{children}</section>,
}))
vi.mock('@tanstack/react-router', () => ({
  Link: () => null,
  createLink: () => () => null,
  Navigate: ({ to }: { to: string }) => <p>Goes to {to}</p>,
  useRouter: () => ({ history: { replace: () => undefined } }),
}))
vi.mock('#app/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(cleanup)

test('the gift’s page is offered once this device is logged in: it is a document of its own, and would come to a visitor', async () => {
  becomeVisitor()
  const entered = Promise.withResolvers<void>()
  register.mockResolvedValue({})
  enter.mockImplementation(async () => {
    becomeUser({ uuid: 'u1', firstName: 'Joost', fullName: 'Joost Vos' }, null)
    await entered.promise
  })
  render(<SignUpScreen gift={{ email: 'joost@harbour.example', token: 'tok', type: 'subscription' }} />)
  fireEvent.click(screen.getByRole('button', { name: 'Join Murmur' }))
  await soon(() => expect(enter).toHaveBeenCalled())

  expect(screen.getByRole('button', { name: 'Join Murmur' })).toBeTruthy()
  expect(screen.queryByText('Go to your gift')).toBeNull()
  expect(screen.queryByText(/^Goes to/)).toBeNull()

  entered.resolve()
  expect((await screen.findByText('Go to your gift')).getAttribute('href')).toContain('token=tok')
})
