import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONFIRM_AGAIN } from '#contract/limits.ts'
import type { Role } from '#contract/office/permissions.ts'
import { inviteOnThisMachine, inviteToOffice } from '#server/features/staff/invitations.ts'
import { mails } from '#server/db/schema/mails.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { SoftwarePasskey } from '#tests/support/software-passkey.ts'
import { officeHeaders, signedInStaff } from '#tests/support/staff.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1', PUBLIC_URL: 'https://shop.example' } })
})
afterAll(() => shop.close())

const ORIGIN = 'https://shop.example'
const aPasskey = () => new SoftwarePasskey({ domain: 'shop.example', origin: ORIGIN })

const post = (path: string, payload?: object, cookie?: string) =>
  shop.app.inject({
    method: 'POST',
    url: `/api/office/${path}`,
    headers: { ...officeHeaders(shop), ...(cookie ? { cookie } : {}) },
    ...(payload ? { payload } : {}),
  })
type Answer = Awaited<ReturnType<typeof post>>

const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']).split(';')[0]!
const problem = (answer: Answer) => [answer.statusCode, answer.json()['hydra:description']]

async function invited(email: string, role: Role = 'owner'): Promise<string> {
  const { link } = await inviteToOffice(shop, { email, role, by: 'una' })
  return link.split('#')[1]!
}

async function joined(email: string, role: Role = 'owner') {
  const passkey = aPasskey()
  const token = await invited(email, role)
  const name = 'Hana Brodie'
  const { challengeId, options } = (await post('invitations/options', { token, name })).json()
  const response = passkey.register(options.challenge)
  const answer = await post('invitations/accept', { token, name, challengeId, response })
  return { passkey, token, answer, cookie: cookieOf(answer), ...answer.json() }
}

async function signIn(passkey: SoftwarePasskey, given: Parameters<SoftwarePasskey['answer']>[1] = {}) {
  const { challengeId, options } = (await post('sign-in/options')).json()
  return post('sign-in', { challengeId, response: passkey.answer(options.challenge, given) })
}

test('an invitation makes an account with a passkey and ten recovery codes, once, and the passkey signs in', async () => {
  const { passkey, token, answer, me, recoveryCodes } = await joined('hana@shop.example')
  expect(me).toMatchObject({
    name: 'Hana Brodie',
    role: 'owner',
    passkeys: 1,
    recoveryCodesLeft: 10,
    byRecovery: false,
  })
  expect(new Set(recoveryCodes).size).toBe(10)
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^__Secure-office=\S{43}; Path=\/api\/office; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
  )
  expect((await post('invitations/open', { token })).statusCode).toBe(410)
  const again = await signIn(passkey)
  expect(again.json()).toMatchObject({ email: 'hana@shop.example', freshUntil: expect.any(String) })
})

test('an invitation says for whom it is, is replaced by a newer one, and is emailed', async () => {
  const first = await invited('oswin@shop.example', 'editor')
  expect((await post('invitations/open', { token: first })).json()).toEqual({
    email: 'oswin@shop.example',
    role: 'editor',
    name: null,
  })
  await invited('oswin@shop.example', 'support')
  expect((await post('invitations/open', { token: first })).statusCode).toBe(410)
  const sent = (await shop.db.select().from(mails)).filter(({ kind }) => kind === 'office_invitation')
  expect(sent.map(({ recipient }) => recipient)).toContain('oswin@shop.example')
})

test('the demo’s printed link works in a browser on this machine only', async () => {
  const link = await inviteOnThisMachine(shop, 'demo@shop.example')
  const open = (host: string, more: Record<string, string> = {}) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/office/invitations/open',
      headers: { ...officeHeaders(shop), host, ...more },
      payload: { token: link.split('#')[1]! },
    })
  expect((await open('shop.example')).statusCode).toBe(410)
  expect((await open('localhost:3000', { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(410)
  expect((await open('localhost:3000')).json()).toMatchObject({ role: 'owner' })
})

test('a passkey’s answer counts once, for this domain, from this page, and with a fingerprint or PIN', async () => {
  const { passkey } = await joined('once@shop.example')
  const { challengeId, options } = (await post('sign-in/options')).json()
  const body = { challengeId, response: passkey.answer(options.challenge) }
  expect((await post('sign-in', body)).statusCode).toBe(200)
  expect((await post('sign-in', body)).statusCode).toBe(422)
  expect((await signIn(passkey, { origin: 'https://evil.example' })).statusCode).toBe(403)
  expect((await signIn(passkey, { flags: 0x01 })).statusCode).toBe(403)
  const other = new SoftwarePasskey({ domain: 'evil.example', origin: ORIGIN })
  expect((await signIn(other)).statusCode).toBe(403)
  // A counter that went back is a copied authenticator.
  passkey.counter = 0
  expect((await signIn(passkey)).statusCode).toBe(403)
})

test('a challenge for one purpose or person is refused for another', async () => {
  const hana = await joined('purpose@shop.example')
  const wilf = await joined('wilf@shop.example', 'support')
  const forSignIn = (await post('sign-in/options')).json()
  const used = {
    challengeId: forSignIn.challengeId,
    response: hana.passkey.answer(forSignIn.options.challenge),
  }
  expect((await post('confirm', used, hana.cookie)).statusCode).toBe(422)
  const ofHana = (await post('confirm/options', undefined, hana.cookie)).json()
  const byWilf = { challengeId: ofHana.challengeId, response: wilf.passkey.answer(ofHana.options.challenge) }
  expect((await post('confirm', byWilf, hana.cookie)).statusCode).toBe(403)
})

test('a passkey counts for five minutes, then it is asked for again', async () => {
  const { passkey, cookie } = await joined('fresh@shop.example')
  const renew = () => post('recovery-codes', undefined, cookie)
  expect((await renew()).statusCode).toBe(200)
  shop.clock.advance(5 * 60)
  const late = await renew()
  expect([late.statusCode, late.json().type]).toEqual([403, CONFIRM_AGAIN])
  const { challengeId, options } = (await post('confirm/options', undefined, cookie)).json()
  const confirmed = await post(
    'confirm',
    { challengeId, response: passkey.answer(options.challenge) },
    cookie,
  )
  expect(confirmed.statusCode).toBe(200)
  expect((await renew()).statusCode).toBe(200)
})

test('a recovery code signs in once to add a new passkey, and can’t confirm actions that need one', async () => {
  const { recoveryCodes } = await joined('lost@shop.example')
  const recover = (code: string, email = 'Lost@shop.example') => post('sign-in/recovery', { email, code })
  const wrong = problem(await recover('aaaaa-bbbbb'))
  expect(wrong[0]).toBe(403)
  expect(problem(await recover(recoveryCodes[0], 'nobody@shop.example'))).toEqual(wrong)
  const inside = await recover(recoveryCodes[0].toUpperCase().replace('-', ' '))
  expect(inside.json()).toMatchObject({ byRecovery: true, freshUntil: null, recoveryCodesLeft: 9 })
  expect((await recover(recoveryCodes[0])).statusCode).toBe(403)
  const cookie = cookieOf(inside)
  expect((await post('recovery-codes', undefined, cookie)).json().type).toBe(CONFIRM_AGAIN)
  const passkey = aPasskey()
  const { challengeId, options } = (await post('passkeys/options', undefined, cookie)).json()
  const added = await post('passkeys', { challengeId, response: passkey.register(options.challenge) }, cookie)
  expect([added.statusCode, added.json()]).toMatchObject([201, { byRecovery: false, passkeys: 2 }])
  expect((await signIn(passkey)).statusCode).toBe(200)
  const told = (await shop.db.select().from(mails)).filter(({ kind }) => kind === 'office_recovery_used')
  expect(told).toHaveLength(1)
})

test('guesses at recovery codes are limited for each account, also for one that does not exist', async () => {
  for (const email of ['limit@shop.example', 'hana@shop.example']) {
    let last = 0
    for (let tries = 0; tries < 7; tries += 1)
      last = (await post('sign-in/recovery', { email, code: 'aaaaa-bbbbb' })).statusCode
    expect(last, email).toBe(429)
  }
})

test('signing out ends the session, not only the cookie', async () => {
  const { cookie } = await joined('out@shop.example')
  const me = () => shop.app.inject({ url: '/api/office/me', headers: { ...officeHeaders(shop), cookie } })
  expect((await me()).statusCode).toBe(200)
  const out = await post('sign-out', undefined, cookie)
  expect(String(out.headers['set-cookie'])).toContain('Max-Age=0')
  expect((await me()).statusCode).toBe(401)
})

test('the last passkey and another person’s passkey can’t be removed', async () => {
  const { cookie } = await joined('keys@shop.example')
  const list = async () =>
    (
      await shop.app.inject({ url: '/api/office/passkeys', headers: { ...officeHeaders(shop), cookie } })
    ).json()
  const [own] = (await list()).passkeys
  const remove = (id: string, headers: Record<string, string>) =>
    shop.app.inject({ method: 'DELETE', url: `/api/office/passkeys/${id}`, headers })
  expect(problem(await remove(own.id, { ...officeHeaders(shop), cookie }))).toEqual([
    422,
    'This is your only passkey. Add another one first.',
  ])
  const other = await signedInStaff(shop, 'owner')
  expect((await remove(own.id, { ...other.headers })).statusCode).toBe(404)
})
