// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { soon } from '#tests/support/wait-for.ts'
import { useConfirmLink } from './use-confirm-link.ts'
import { refusalMessage, useWrite } from './use-write.ts'

afterEach(cleanup)

function inApp<Result>(hook: () => Result) {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return { client, ...renderHook(hook, { wrapper }) }
}

const violation = (...fields: string[]) =>
  new NetProblem('refused', 422, {
    violations: fields.map((propertyPath) => ({ propertyPath, message: `${propertyPath} is wrong` })),
  })

test('is busy until `onSuccess` resolves, and ignores a second press meanwhile', async () => {
  let finish = () => {}
  const call = vi.fn(async (name: string) => `saved ${name}`)
  const onSuccess = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const { result } = inApp(() => useWrite(call, { onSuccess }))
  let first = Promise.resolve(false)
  act(() => void (first = result.current.write('Rosa')))
  expect(await result.current.write('Rosa')).toBe(false)
  await soon(() => expect(onSuccess).toHaveBeenCalledExactlyOnceWith('saved Rosa', 'Rosa'))
  await soon(() => expect(result.current.busy).toBe(true))
  await act(async () => finish())
  expect(await first).toBe(true)
  await soon(() => expect(result.current.busy).toBe(false))
  expect(call).toHaveBeenCalledOnce()
})

test('a failure shows a message; retry sends the same input again, and success removes the message', async () => {
  const call = vi.fn((_name: string) => Promise.reject<string>(new NetProblem('server', 500)))
  const onFailure = vi.fn()
  const { result } = inApp(() => useWrite(call, { onFailure }))
  await act(async () => expect(await result.current.write('Rosa')).toBe(false))
  await soon(() => expect(result.current.refusal).toBe(MESSAGES.somethingWentWrong))
  expect(onFailure).toHaveBeenCalledOnce()
  call.mockResolvedValueOnce('saved')
  await act(async () => expect(await result.current.retry()).toBe(true))
  expect(call).toHaveBeenLastCalledWith('Rosa')
  await soon(() => expect(result.current.refusal).toBe(''))
})

test('shows a failure of `onSuccess`', async () => {
  const onSuccess = () => Promise.reject(new NetProblem('offline', 0))
  const { result } = inApp(() => useWrite(async () => 'saved', { onSuccess }))
  await act(async () => expect(await result.current.write()).toBe(false))
  await soon(() => expect(result.current.refusal).toContain('This needs a connection'))
})

test('violations appear at their fields, and the first of them gets the focus', async () => {
  const setError = vi.fn()
  const form = { setError, fields: ['name', 'city'] }
  const { result } = inApp(() => useWrite(() => Promise.reject(violation('city', 'name')), { form }))
  await act(async () => expect(await result.current.write()).toBe(false))
  expect(setError.mock.calls).toEqual([
    ['city', { type: 'shop', message: 'city is wrong' }, { shouldFocus: true }],
    ['name', { type: 'shop', message: 'name is wrong' }, { shouldFocus: false }],
  ])
  expect(result.current.refusal).toBe('')
})

test('a violation without a field is shown above the form', async () => {
  const setError = vi.fn()
  const form = { setError, fields: ['name'] }
  const { result } = inApp(() =>
    useWrite(() => Promise.reject(violation('name', 'country')), { form, message: () => 'not saved' }),
  )
  await act(async () => expect(await result.current.write()).toBe(false))
  await soon(() => expect(result.current.refusal).toBe('not saved'))
  expect(setError).not.toHaveBeenCalled()
})

test('doesn’t cache the input after sending: it may be a password', async () => {
  const { client, result, unmount } = inApp(() => useWrite(async (password: string) => password.length))
  await act(async () => void (await result.current.write('murmur-demo')))
  unmount()
  await soon(() => expect(client.getMutationCache().getAll()).toEqual([]))
})

test('ERR-08: messages for each kind of failure', () => {
  expect(refusalMessage(new NetProblem('offline', 0), 'Invalid')).toContain('This needs a connection')
  expect(refusalMessage(new NetProblem('refused', 429, { description: 'Wait 5 minutes.' }), 'Invalid')).toBe(
    'Wait 5 minutes.',
  )
  expect(refusalMessage(new NetProblem('refused', 401), 'Invalid')).toBe('Invalid')
  expect(
    refusalMessage(new NetProblem('refused', 422, { description: 'taken' }), (it) => `It is ${it}`),
  ).toBe('It is taken')
  expect(refusalMessage(new NetProblem('server', 500), 'Invalid')).toBe(MESSAGES.somethingWentWrong)
  expect(refusalMessage(new Error('a bug'), 'Invalid')).toBe(MESSAGES.somethingWentWrong)
})

test('a link from an email is used once, when its page opens', async () => {
  const confirm = vi.fn(async (_token: string, _password?: string) => undefined)
  const { result, rerender } = inApp(() => useConfirmLink('t-1', confirm))
  expect(result.current.outcome).toBeUndefined()
  await soon(() => expect(result.current.outcome).toBe('confirmed'))
  rerender()
  expect(confirm).toHaveBeenCalledExactlyOnceWith('t-1')
})

test('a link that needs the password asks until it is right; any other failure ends it', async () => {
  const confirm = vi.fn(async (_token: string, password?: string) => {
    if (password !== 'murmur-demo') throw violation('password')
  })
  const { result } = inApp(() => useConfirmLink('t-2', confirm))
  await soon(() => expect(result.current.outcome).toBe('ask'))
  await expect(result.current.confirmWithPassword('wrong')).rejects.toBeInstanceOf(NetProblem)
  expect(result.current.outcome).toBe('ask')
  await act(() => result.current.confirmWithPassword('murmur-demo'))
  await soon(() => expect(result.current.outcome).toBe('confirmed'))

  const failed = inApp(() => useConfirmLink('t-3', () => Promise.reject(new NetProblem('refused', 404))))
  await soon(() => expect(failed.result.current.outcome).toBe('failed'))
})
