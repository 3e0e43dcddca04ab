// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { SignUpScreen } from './SignUpScreen.tsx'

interface Form {
  register: (what: object) => Promise<void>
  firstName?: string
}
const { register, openSession, replace } = vi.hoisted(() => ({
  register: vi.fn(),
  openSession: vi.fn(),
  replace: vi.fn(),
}))
vi.mock('#features/gifts/claim.ts', () => ({
  giftQuery: (_of: string, token: string) => ({
    queryKey: ['gift', token],
    queryFn: async () => ({
      kind: 'subscriptions',
      gift: { plan: 5, giverName: 'Nell Hart', giftRecipientFirstName: 'Joost' },
    }),
  }),
}))
vi.mock('#features/account/mutations.ts', () => ({ register }))
vi.mock('#session/log-in.ts', () => ({ openSession }))
vi.mock('#features/account/RegisterForm.tsx', () => ({
  RegisterForm: ({ register: send, firstName }: Form) => (
    <>
      <p>Named {firstName}</p>
      <button onClick={() => void send({ email: 'joost@harbour.example' })}>Join Murmur</button>
    </>
  ),
}))
vi.mock('#features/account/ConfirmForms.tsx', () => ({
  CheckMail: ({ children }: { children: ReactNode }) => <section aria-label="Mail">{children}</section>,
}))
vi.mock('@tanstack/react-router', () => ({
  Link: () => null,
  createLink: () => () => null,
  Navigate: ({ to }: { to: string }) => <p>Goes to {to}</p>,
  useRouter: () => ({ history: { replace } }),
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))
afterEach(cleanup)

const giftLink = { email: 'joost@harbour.example', token: 'tok', type: 'subscription' }
const show = (gift: object) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <SignUpScreen gift={gift} />
    </QueryClientProvider>,
  )

test('a gift’s link keeps giver, gift and first name in sight, and opens the gift once this device is logged in', async () => {
  becomeVisitor()
  const entered = Promise.withResolvers<void>()
  register.mockResolvedValue({})
  openSession.mockImplementation(async () => {
    becomeUser({ uuid: 'u1', firstName: 'Joost', fullName: 'Joost Vos' }, null)
    await entered.promise
  })
  show(giftLink)
  await screen.findByText('A year of Reader from Nell Hart is waiting for you. Create an account to open it.')
  expect(screen.getByText('Named Joost')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Join Murmur' }))
  await soon(() => expect(openSession).toHaveBeenCalled())
  expect(register).toHaveBeenCalledWith({ email: 'joost@harbour.example' }, 'tok')
  // It is a document of its own, and would come to a visitor.
  expect(replace).not.toHaveBeenCalled()

  entered.resolve()
  await soon(() => expect(replace).toHaveBeenCalledWith(expect.stringContaining('token=tok')))
  expect(screen.queryByRole('region', { name: 'Mail' })).toBeNull()
})

test('ACC-15: who registers without a link is asked to look into their mail', async () => {
  becomeVisitor()
  openSession.mockImplementation(async () =>
    becomeUser({ uuid: 'u1', firstName: 'Joost', fullName: 'Joost Vos' }, null),
  )
  show({})
  fireEvent.click(screen.getByRole('button', { name: 'Join Murmur' }))
  expect(await screen.findByRole('region', { name: 'Mail' })).toBeTruthy()
  expect(register).toHaveBeenLastCalledWith({ email: 'joost@harbour.example' }, undefined)
})
