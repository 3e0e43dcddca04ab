// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/account.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { render } from '#tests/support/render.tsx'
import { ChangePasswordForm, ForgotPassword, NewPasswordForm } from './PasswordForms.tsx'
import { LogInForm } from './LogInForm.tsx'
import { ProveForm } from './ProveForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { RegisterForm } from './RegisterForm.tsx'

afterEach(cleanup)

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const isInvalid = (label: string) => input(label).getAttribute('aria-invalid') === 'true'
const alertWords = async () => (await screen.findByRole('alert')).textContent

const type = async (label: string, text: string) => {
  const field = input(label)
  await userEvent.clear(field)
  if (text) await userEvent.type(field, text)
  await userEvent.tab()
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const describedBy = (label: string) => {
  const id = input(label).getAttribute('aria-describedby')
  return id ? (document.getElementById(id)?.textContent ?? '') : ''
}

const isOff = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true'

describe('log in', () => {
  test('an error that a press causes waits for its release: it would push the pressed control away', async () => {
    render(
      <LogInForm
        {...{ logIn: vi.fn(), onDone: vi.fn(), email: 'rosa@murmur.example' }}
        others={<a href="#forgotten">Forgotten your password?</a>}
      />,
    )
    const link = screen.getByRole('link', { name: 'Forgotten your password?' })
    const user = userEvent.setup()
    await user.pointer({ keys: '[MouseLeft>]', target: link })
    expect(document.activeElement).toBe(link)
    expect(isInvalid('Password')).toBe(false)
    await user.pointer({ keys: '[/MouseLeft]', target: link })
    expect(await screen.findByText('Password is required')).toBeTruthy()
  })

  test('whom the device remembers fills in the password alone; what was typed before that was known stays', async () => {
    const given = { logIn: vi.fn(), onDone: vi.fn() }
    const { rerender } = render(<LogInForm {...given} />)
    expect(document.activeElement).toBe(document.body)
    rerender(<LogInForm {...given} email="rosa@murmur.example" />)
    expect(input('Email').value).toBe('rosa@murmur.example')
    await soon(() => expect(document.activeElement).toBe(input('Password')))
    cleanup()

    const later = render(<LogInForm {...given} />)
    await userEvent.type(input('Email'), 'ben@')
    later.rerender(<LogInForm {...given} email="rosa@murmur.example" />)
    expect(input('Email').value).toBe('ben@')
    expect(document.activeElement).toBe(input('Email'))
  })

  test('ACC-03: the button cannot be pressed while the form is invalid or on its way', async () => {
    let answer = () => {}
    const logIn = vi.fn(() => new Promise<void>((resolve) => (answer = resolve)))
    const onDone = vi.fn()
    render(<LogInForm logIn={logIn} onDone={onDone} />)
    expect(isOff('Log in')).toBe(true)
    await type('Email', 'not-an-address')
    await type('Password', 'murmur-demo')
    expect(isOff('Log in')).toBe(true)
    await type('Email', 'wren@murmur.example')
    expect(isOff('Log in')).toBe(false)
    await press('Log in')
    expect(isOff('Log in')).toBe(true)
    await userEvent.type(input('Password'), '{Enter}')
    await press('Log in')
    answer()
    await soon(() => expect(onDone).toHaveBeenCalledOnce())
    expect(logIn).toHaveBeenCalledOnce()
  })

  test('ERR-12: what the shop refuses shows “Invalid credentials” and keeps what was typed', async () => {
    render(<LogInForm logIn={() => Promise.reject(new NetProblem('refused', 401))} onDone={vi.fn()} />)
    await type('Email', 'wren@murmur.example')
    await type('Password', 'murmur-wrong')
    await press('Log in')
    expect(await alertWords()).toBe('Invalid credentials')
    expect(input('Email').value).toBe('wren@murmur.example')
  })

  test('ACC-02: the address must be there and be one, the password must be there', async () => {
    render(<LogInForm logIn={vi.fn()} onDone={vi.fn()} />)
    await type('Email', '')
    expect(describedBy('Email')).toBe('Email is required')
    for (const wrong of ['wren', 'wren@murmur', 'wren @murmur.example']) {
      await type('Email', wrong)
      expect(describedBy('Email')).toBe('Email must be valid')
    }
    await type('Email', 'wren@murmur.example')
    expect(isInvalid('Email')).toBe(false)
    await type('Password', '')
    expect(describedBy('Password')).toBe('Password is required')
  })

  test('log-in accepts any password', async () => {
    const logIn = vi.fn().mockResolvedValue(undefined)
    const onDone = vi.fn()
    render(<LogInForm logIn={logIn} onDone={onDone} />)
    await type('Email', ' wren@murmur.example ')
    await type('Password', 'short')
    await press('Log in')
    expect(logIn).toHaveBeenCalledWith('wren@murmur.example', 'short')
    expect(onDone).toHaveBeenCalled()
  })
})

const fillIn = async (fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await type(label, text)
}
const UNA = {
  'First name': 'Una',
  'Last name': 'Reed',
  Email: 'una@murmur.example',
  Password: 'eight-it-is',
}
const chooseCountry = (name: string) => userEvent.selectOptions(screen.getByLabelText('Country'), name)

describe('join', () => {
  test('ACC-08 ACC-09 ACC-10: names, address and password are asked for by name', async () => {
    const register = vi.fn()
    render(<RegisterForm register={register} />)
    await chooseCountry('Ireland')
    await press('Create account')
    expect(describedBy('First name')).toBe('First name is required')
    expect(describedBy('Last name')).toBe('Last name is required')
    expect(describedBy('Email')).toBe('Email is required')
    expect(describedBy('Password')).toBe('Password is required')
    await type('First name', '   ')
    expect(describedBy('First name')).toBe('First name is required')
    await type('Email', 'una')
    expect(describedBy('Email')).toBe('Email must be valid')
    expect(register).not.toHaveBeenCalled()
  })

  test('ACC-37 ACC-38: a password has 8 to 60 characters, as people count them', async () => {
    render(<RegisterForm register={vi.fn()} />)
    await type('Password', '1234567')
    expect(describedBy('Password')).toBe('Password must be at least 8 characters long')
    await type('Password', '12345678')
    expect(isInvalid('Password')).toBe(false)
    await type('Password', 'x'.repeat(61))
    expect(describedBy('Password')).toBe('Password must be less than 60 characters long')
    await type('Password', 'x'.repeat(60))
    expect(isInvalid('Password')).toBe(false)
    await type('Password', '🎧'.repeat(7))
    expect(describedBy('Password')).toBe('Password must be at least 8 characters long')
  })

  test('ACC-11: the newsletter is taken unless it is turned off, and goes as true or false', async () => {
    const register = vi.fn().mockResolvedValue(undefined)
    render(<RegisterForm register={register} />)
    const newsletter = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Send me the newsletter' })
    expect(newsletter.checked).toBe(true)
    await fillIn(UNA)
    await chooseCountry('Ireland')
    await press('Create account')
    expect(register).toHaveBeenLastCalledWith({
      firstName: 'Una',
      lastName: 'Reed',
      countryCode: 'IE',
      email: 'una@murmur.example',
      password: 'eight-it-is',
      newsletter: true,
    })
    await userEvent.click(newsletter)
    await press('Create account')
    expect(register).toHaveBeenLastCalledWith(expect.objectContaining({ newsletter: false }))
  })

  test('ACC-13: an account for a gift has the gift’s address, and no other', async () => {
    const register = vi.fn().mockResolvedValue(undefined)
    render(<RegisterForm register={register} giftEmail="greta@murmur.example" />)
    const email = input('Email')
    expect(email.value).toBe('greta@murmur.example')
    expect(email.readOnly).toBe(true)
    await fillIn({ 'First name': 'Greta', 'Last name': 'Moss', Password: 'eight-it-is' })
    await chooseCountry('Ireland')
    // As a user could do with the browser’s developer tools.
    email.removeAttribute('readonly')
    await type('Email', 'other@murmur.example')
    await press('Create account')
    expect(describedBy('Email')).toBe('Email must be same')
    expect(register).not.toHaveBeenCalled()
    await type('Email', 'Greta@murmur.example')
    await press('Create account')
    expect(register).toHaveBeenCalled()
  })

  test.each([
    [
      'a taken address says so',
      new NetProblem('refused', 422, { reason: 'email_taken' }),
      'This email already exists with a user account, please sign in',
    ],
    [
      'any other failure says that something went wrong',
      new NetProblem('server', 500),
      'Something went wrong, please try again',
    ],
  ])('ERR-26 ERR-29: %s, and keeps what was typed', async (_title, problem, words) => {
    render(<RegisterForm register={() => Promise.reject(problem)} />)
    await fillIn(UNA)
    await chooseCountry('Ireland')
    await press('Create account')
    expect(await alertWords()).toBe(words)
    for (const [label, text] of Object.entries(UNA)) expect(input(label).value).toBe(text)
    expect(input('Country').value).toBe('IE')
    expect(screen.getByRole('button', { name: 'Create account' }).getAttribute('aria-disabled')).toBeNull()
  })
})

describe('a forgotten password', () => {
  test('ACC-16: asks for an address, and says what is wrong with it', async () => {
    render(<ForgotPassword logIn={null} />)
    await press('Send the link')
    expect(describedBy('Email')).toBe('Email is required')
    await type('Email', 'not-an-address')
    expect(describedBy('Email')).toBe('Email must be valid')
  })

  test('ERR-13: an address that the shop refuses is an “Invalid email”, and stays', async () => {
    configureNet({ exchange: () => Promise.reject(new NetProblem('refused', 422)) })
    render(<ForgotPassword logIn={null} />)
    await type('Email', 'a..b@murmur.example')
    await press('Send the link')
    expect(await alertWords()).toBe('Invalid email')
    expect(input('Email').value).toBe('a..b@murmur.example')
  })
})

test('ACC-19: a reset password is required and has the lengths of a registration', async () => {
  render(<NewPasswordForm id="u" token="t" />)
  await press('Reset Password')
  expect(describedBy('New password')).toBe('Password is required')
  await type('New password', '1234567')
  expect(describedBy('New password')).toBe('Password must be at least 8 characters long')
  await type('New password', 'x'.repeat(61))
  expect(describedBy('New password')).toBe('Password must be less than 60 characters long')
  await type('New password', 'x'.repeat(60))
  expect(isInvalid('New password')).toBe(false)
})

test('ERR-14: a reset that fails says so and can be tried again', async () => {
  configureNet({ fetch: async () => fromShop('{}', { status: 404 }) })
  render(<NewPasswordForm id="u" token="t" />)
  await type('New password', 'eight-it-is')
  await press('Reset Password')
  expect(await alertWords()).toBe('Something went wrong, please try again')
  expect(input('New password').value).toBe('eight-it-is')
})

test('ACC-22: the old password is required, the new one too, within the lengths', async () => {
  const change = vi.fn()
  render(<ChangePasswordForm change={change} />)
  await press('Change password')
  expect(describedBy('Old password')).toBe('Old password is required')
  expect(describedBy('New password')).toBe('New password is required')
  await type('Old password', 'x')
  await type('New password', '1234567')
  expect(describedBy('New password')).toBe('Password must be at least 8 characters long')
  await type('New password', 'x'.repeat(61))
  expect(describedBy('New password')).toBe('Password must be less than 60 characters long')
  expect(change).not.toHaveBeenCalled()
})

test('ERR-30: a refused change of password shows “Invalid credentials”', async () => {
  render(<ChangePasswordForm change={() => Promise.reject(new NetProblem('refused', 422))} />)
  await type('Old password', 'not-it')
  await type('New password', 'eight-it-is')
  await press('Change password')
  expect(await alertWords()).toBe('Invalid credentials')
})

const user = {
  firstName: 'Nell',
  lastName: 'Hart',
  address1: null,
  address2: null,
  city: null,
  county: null,
  countryCode: null,
  postCode: null,
} as User

test('ACC-29: a profile needs the two names and nothing else', async () => {
  const save = vi.fn().mockResolvedValue(user)
  render(<ProfileForm user={user} save={save} />)
  await type('First name', '')
  await type('Last name', ' ')
  await press('Save changes')
  expect(describedBy('First name')).toBe('First name is required')
  expect(describedBy('Last name')).toBe('Last name is required')
  expect(save).not.toHaveBeenCalled()
  await type('First name', 'Nell')
  await type('Last name', 'Hart')
  await press('Save changes')
  expect(save).toHaveBeenCalledOnce()
})

test('of two simultaneous password changes the refused one shows the server’s message', async () => {
  const words = 'Your password was changed a moment ago, in another tab.'
  const lost = new NetProblem('refused', 409, { description: words })
  render(<ChangePasswordForm change={() => Promise.reject(lost)} />)
  await type('Old password', 'the-old-one')
  await type('New password', 'eight-it-is')
  await press('Change password')
  expect(await alertWords()).toBe(words)
  expect(input('New password').value).toBe('eight-it-is')
})

test('a rate-limited log-in says how to get in, and keeps what was typed', async () => {
  const words = 'Too many attempts to log in to this account. You can try again in about an hour.'
  render(
    <LogInForm
      logIn={() => Promise.reject(new NetProblem('refused', 429, { description: words }))}
      onDone={vi.fn()}
    />,
  )
  await type('Email', 'wren@murmur.example')
  await type('Password', 'murmur-demo')
  await press('Log in')
  expect(await alertWords()).toBe(words)
  expect(input('Password').value).toBe('murmur-demo')
})

test('a name with a web address or markup is refused at its field', async () => {
  const save = vi.fn()
  render(<ProfileForm user={user} save={save} />)
  for (const wrong of ['https://evil.example', '<b>Nell</b>', 'nell@evil.example']) {
    await type('First name', wrong)
    await press('Save changes')
    expect(describedBy('First name')).toBe('A name can’t hold a web address, an email address, or < and >')
  }
  expect(save).not.toHaveBeenCalled()
})

test('paying: the form that asks for the password again says what for, and that a password was wrong', async () => {
  const prove = vi.fn(async (password: string) => {
    if (password !== 'murmur-demo') throw new NetProblem('refused', 422)
  })
  const onDone = vi.fn()
  render(<ProveForm owner="u1" email="rosa@murmur.example" prove={prove} onDone={onDone} />)
  screen.getByText(/before you give something or add a card. It counts for 15 minutes/)
  await userEvent.type(input('Password'), 'something{Enter}')
  expect(await alertWords()).toBe('That isn’t your password.')
  expect(onDone).not.toHaveBeenCalled()
  await type('Password', 'murmur-demo')
  await press('Go on')
  await soon(() => expect(onDone).toHaveBeenCalledOnce())
})
