// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { useForm, useWatch } from 'react-hook-form'
import { afterEach, expect, test, vi } from 'vitest'
import { takeEarlyInput } from './early-input.ts'

afterEach(cleanup)

const known = vi.fn()

function Form() {
  const [state, setState] = useState<Record<string, string | boolean>>({
    code: '',
    note: '',
    gift: true,
    now: false,
    plan: 'reader',
  })
  const { register, control } = useForm({ defaultValues: { email: '' } })
  const email = useWatch({ control, name: 'email' })
  useEffect(() => known({ ...state, email }))
  const keep = (name: string, value: string | boolean) => setState((before) => ({ ...before, [name]: value }))
  const typed = (name: string) => ({
    name,
    value: String(state[name]),
    onChange: ({ target }: { target: { value: string } }) => keep(name, target.value),
  })
  const ticked = (name: string) => ({
    name,
    type: 'checkbox',
    checked: state[name] === true,
    onChange: ({ target }: { target: { checked: boolean } }) => keep(name, target.checked),
  })
  return (
    <Suspense>
      <input {...typed('code')} />
      <textarea {...typed('note')} />
      <input {...ticked('gift')} />
      <input {...ticked('now')} />
      {['supporter', 'reader', 'avid'].map((plan) => (
        <input
          key={plan}
          type="radio"
          name="plan"
          value={plan}
          checked={state.plan === plan}
          onChange={() => keep('plan', plan)}
        />
      ))}
      <input {...register('email')} />
    </Suspense>
  )
}

type Done = (page: HTMLElement) => void

/** Renders the server's page, then hydrates it; `early` runs before, `meanwhile` during hydration. */
async function comeAlive(screen: ReactNode, { early, meanwhile }: { early?: Done; meanwhile?: Done }) {
  const page = document.createElement('div')
  document.body.append(page)
  page.innerHTML = renderToString(screen)
  early?.(page)
  const putIn = takeEarlyInput()
  await act(async () => {
    hydrateRoot(page, screen)
    putIn()
    meanwhile?.(page)
    // A choice is repeated after its own event.
    await new Promise((resolve) => setTimeout(resolve, 0))
  })
  return page
}
const find = <T extends Element>(page: HTMLElement, selector: string) => page.querySelector<T>(selector)!

test('RDM-02: input from before hydration stays, and reaches the form’s state', async () => {
  const early = (form: HTMLElement) => {
    find<HTMLInputElement>(form, '[name=code]').value = 'REDEEM-2345-6789'
    find<HTMLTextAreaElement>(form, '[name=note]').value = 'For the long drives'
    find<HTMLInputElement>(form, '[name=gift]').checked = false
    find<HTMLInputElement>(form, '[name=now]').checked = true
    find<HTMLInputElement>(form, '[value=avid]').checked = true
    find<HTMLInputElement>(form, '[name=email]').value = 'joost@harbour.example'
  }
  const page = await comeAlive(<Form />, { early })
  expect(known).toHaveBeenLastCalledWith({
    code: 'REDEEM-2345-6789',
    note: 'For the long drives',
    gift: false,
    now: true,
    plan: 'avid',
    email: 'joost@harbour.example',
  })
  expect(find<HTMLInputElement>(page, '[name=code]').value).toBe('REDEEM-2345-6789')
  expect(find<HTMLInputElement>(page, '[name=gift]').checked).toBe(false)
  expect(find<HTMLInputElement>(page, '[value=avid]').checked).toBe(true)
})

test('an untouched form does not change', async () => {
  await comeAlive(<Form />, {})
  expect(known).toHaveBeenLastCalledWith({
    code: '',
    note: '',
    gift: true,
    now: false,
    plan: 'reader',
    email: '',
  })
})

test('input during hydration stays, and reaches the form’s state', async () => {
  const meanwhile = (form: HTMLElement) => {
    type(find(form, '[name=code]'), 'REDEEM-2345-6789')
    type(find(form, '[name=email]'), 'joost@harbour.example')
  }
  const page = await comeAlive(<Form />, { meanwhile })
  expect(known).toHaveBeenLastCalledWith(
    expect.objectContaining({ code: 'REDEEM-2345-6789', email: 'joost@harbour.example' }),
  )
  expect(find<HTMLInputElement>(page, '[name=code]').value).toBe('REDEEM-2345-6789')
})

test.each([
  { choice: '[name=gift]', checked: false, form: { gift: false } },
  { choice: '[name=now]', checked: true, form: { now: true } },
  { choice: '[value=avid]', checked: true, form: { plan: 'avid' } },
])('a choice during hydration is kept: $choice', async ({ choice, checked, form }) => {
  const meanwhile = (page: HTMLElement) => find<HTMLInputElement>(page, choice).click()
  const page = await comeAlive(<Form />, { meanwhile })
  expect(find<HTMLInputElement>(page, choice).checked).toBe(checked)
  expect(known).toHaveBeenLastCalledWith(expect.objectContaining(form))
})

test('after hydration, typing in the middle of a text keeps the caret', async () => {
  const page = await comeAlive(<Form />, {})
  const note = find<HTMLTextAreaElement>(page, '[name=note]')
  type(note, 'For drives')
  note.setSelectionRange(4, 4)
  const written = vi.spyOn(HTMLTextAreaElement.prototype, 'value', 'set')
  note.dispatchEvent(new Event('input', { bubbles: true }))
  expect(written).not.toHaveBeenCalled()
})

/** Use the native setter, as browsers do: React overrides it. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  Reflect.set(Reflect.getPrototypeOf(field)!, 'value', text, field)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
