// @vitest-environment happy-dom
import { useIsMutating } from '@tanstack/react-query'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import { render } from '#tests/support/render.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { CodeField } from './CodeBox.tsx'
import { CODE_KEY } from './codes.ts'

afterEach(cleanup)

const Checking = () => <p role="note">{useIsMutating({ mutationKey: CODE_KEY })}</p>
const field = () => screen.getByLabelText<HTMLInputElement>('Discount code')
function show(apply: (typed: string) => Promise<string>) {
  render(
    <>
      <CodeField applied={undefined} apply={apply} remove={vi.fn()} />
      <Checking />
    </>,
  )
  fireEvent.change(field(), { target: { value: 'oneuse' } })
}
const press = () => fireEvent.click(screen.getByRole('button', { name: 'Apply' }))

test('DISC-02 DISC-03: other parts of the page know that a code is being checked, and it is not applied twice', async () => {
  let answer = (_code: string) => {}
  const apply = vi.fn(() => new Promise<string>((resolve) => (answer = resolve)))
  show(apply)
  press()
  press()
  await soon(() => expect(screen.getByRole('note').textContent).toBe('1'))
  press()
  answer('ONEUSE')
  await soon(() => expect(screen.getByRole('note').textContent).toBe('0'))
  expect(apply).toHaveBeenCalledExactlyOnceWith('oneuse')
  await soon(() => expect(field().value).toBe(''))
})

test('ERR-06: a code that was already used stays in its field, marked with the reason, until it is changed', async () => {
  show(() => Promise.reject(new NetProblem('refused', 422, { description: MESSAGES.discountAlreadyUsed })))
  press()
  await screen.findByText(MESSAGES.discountAlreadyUsed)
  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['oneuse', 'true'])
  fireEvent.change(field(), { target: { value: 'oneuse2' } })
  await soon(() => expect(screen.queryByText(MESSAGES.discountAlreadyUsed)).toBeNull())
})
