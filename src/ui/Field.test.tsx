// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Profiler } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Checkbox, Switch } from './Checkbox.tsx'
import { Field, SelectField, PasswordField } from './Field.tsx'
import { RadioGroup } from './RadioGroup.tsx'

afterEach(cleanup)

const described = (element: Element) =>
  document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent

test('an error replaces the hint and is linked to the field', () => {
  const { rerender } = render(<Field label="Email" hint="Your receipt goes here." />)
  const input = screen.getByRole('textbox', { name: 'Email' })
  expect(described(input)).toBe('Your receipt goes here.')
  expect(input.getAttribute('aria-invalid')).toBeNull()

  rerender(<Field label="Email" hint="Your receipt goes here." error="Email must be valid" />)
  expect(described(input)).toBe('Email must be valid')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByText('Your receipt goes here.')).toBeNull()
})

test('an error that comes during a press shows at its end, and a press without one renders nothing', () => {
  let renderings = 0
  const field = (error?: string) => (
    <Profiler id="field" onRender={() => (renderings += 1)}>
      <Field label="Email" error={error} />
    </Profiler>
  )
  const { rerender } = render(field())
  fireEvent.mouseDown(document.body)
  fireEvent.mouseUp(document.body)
  expect(renderings).toBe(1)

  fireEvent.mouseDown(document.body)
  rerender(field('Email must be valid'))
  expect(screen.queryByText('Email must be valid')).toBeNull()
  fireEvent.mouseUp(document.body)
  expect(screen.getByText('Email must be valid')).toBeTruthy()
})

test('a password can be shown and hidden again', async () => {
  render(<PasswordField label="Password" />)
  const input = screen.getByLabelText('Password')
  expect(input.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(input.getAttribute('type')).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(input.getAttribute('type')).toBe('password')
})

test('choices are named by their labels', async () => {
  let chosen = ''
  render(
    <>
      <SelectField label="Country" defaultValue="GB">
        <option value="GB">United Kingdom</option>
      </SelectField>
      <Checkbox label="Lyrical" error="Please choose" />
      <Switch label="Newsletter" />
      <RadioGroup
        legend="Payment"
        options={[
          { value: 'card', label: 'Card' },
          { value: 'paypal', label: 'PayPal' },
        ]}
        value="card"
        onChange={(value) => (chosen = value)}
      />
    </>,
  )
  expect(screen.getByRole('combobox', { name: 'Country' })).toBeTruthy()
  expect(described(screen.getByRole('checkbox', { name: 'Lyrical' }))).toBe('Please choose')
  await userEvent.click(screen.getByRole('switch', { name: 'Newsletter' }))
  expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true)
  await userEvent.click(screen.getByRole('radio', { name: 'PayPal' }))
  expect(chosen).toBe('paypal')
})
