import { afterAll, beforeAll, expect, test } from 'vitest'
import { officeCommand } from '#server/commands/office.ts'
import { typed } from '#tests/support/run-command.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let hana: StaffSession
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  hana = await signedInStaff(shop, 'owner', { name: 'Hana Brodie' })
})
afterAll(() => shop.close())

const reason = (answer: Awaited<ReturnType<StaffSession['ask']>>) => answer.json()['hydra:description']

test('a role is changed, written down with what it was, and undone once', async () => {
  const oswin = await signedInStaff(shop, 'support', { name: 'Oswin Carr' })
  const changed = (await hana.ask('PATCH', `/api/office/team/${oswin.id}`, { role: 'editor' })).json()
  expect((await oswin.ask('GET', '/api/office/me')).json()).toMatchObject({ role: 'editor' })
  const log = async () => (await hana.ask('GET', '/api/office/activity')).json().rows
  expect((await log())[0]).toMatchObject({
    by: 'Hana Brodie',
    kind: 'office role',
    what: 'Made Oswin Carr editor',
    before: 'support',
    after: 'editor',
    canUndo: true,
  })
  const undo = () => hana.ask('POST', `/api/office/activity/${changed.entry}/undo`)
  // Two at once: the second is told, and the role changes once.
  const both = await Promise.all([undo(), undo()])
  expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 422]))
  expect((await oswin.ask('GET', '/api/office/me')).json()).toMatchObject({ role: 'support' })
  expect(
    (await log()).map(({ what, undone }: { what: string; undone: unknown }) => [what, undone]),
  ).toMatchObject([
    ['Made Oswin Carr support again', null],
    ['Made Oswin Carr editor', { by: 'Hana Brodie' }],
  ])
})

test('what changed since is not undone', async () => {
  const dev = await signedInStaff(shop, 'support', { name: 'Dev Farrow' })
  const { entry } = (await hana.ask('PATCH', `/api/office/team/${dev.id}`, { role: 'editor' })).json()
  await hana.ask('PATCH', `/api/office/team/${dev.id}`, { role: 'bookkeeper' })
  const refused = await hana.ask('POST', `/api/office/activity/${entry}/undo`)
  expect([refused.statusCode, reason(refused)]).toEqual([422, 'Dev Farrow has another role by now.'])
})

test('a removed member of staff is signed out at once, and can be invited again', async () => {
  const wilf = await signedInStaff(shop, 'support', { name: 'Wilf Garrity' })
  expect((await hana.ask('DELETE', `/api/office/team/${wilf.id}`)).statusCode).toBe(204)
  expect((await wilf.ask('GET', '/api/office/me')).statusCode).toBe(401)
  const invited = await hana.ask('POST', '/api/office/team/invitations', {
    email: wilf.email,
    role: 'support',
  })
  expect(invited.statusCode).toBe(201)
  expect(invited.json().link).toMatch(/\/office\/welcome#\S{43}$/)
  const { people, invitations } = (await hana.ask('GET', '/api/office/team')).json()
  expect(people.map(({ name }: { name: string }) => name)).not.toContain('Wilf Garrity')
  expect(invitations).toMatchObject([{ email: wilf.email, role: 'support', invitedBy: 'Hana Brodie' }])
  expect((await hana.ask('DELETE', `/api/office/team/invitations/${invitations[0].id}`)).statusCode).toBe(204)
  expect((await hana.ask('GET', '/api/office/team')).json().invitations).toEqual([])
})

test('the only owner can’t leave, nor become something else', async () => {
  const only = 'Hana Brodie is the only owner. Make somebody else an owner first.'
  for (const answer of [
    await hana.ask('DELETE', `/api/office/team/${hana.id}`),
    await hana.ask('PATCH', `/api/office/team/${hana.id}`, { role: 'editor' }),
  ])
    expect([answer.statusCode, reason(answer)]).toEqual([422, only])
})

test('the activity is searched by words, person, kind and thing, paged without gaps, and exported', async () => {
  const ask = async (query: string) => (await hana.ask('GET', `/api/office/activity?${query}`)).json()
  const all = await ask('limit=200')
  expect((await ask('words=oswin')).total).toBeGreaterThan(0)
  expect((await ask('words=oswin')).rows.every(({ what }: { what: string }) => what.includes('Oswin'))).toBe(
    true,
  )
  expect((await ask('words=100%25')).total).toBe(0)
  expect((await ask('kind=office%20remove')).rows).toMatchObject([
    { what: 'Took Hana Brodie off the team', outcome: 'failed', canUndo: false },
    { what: 'Took Wilf Garrity off the team', outcome: 'done' },
  ])
  const ids: number[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: { rows: { id: number }[]; next: string | null } = await ask(
      `limit=2${after && `&after=${after}`}`,
    )
    ids.push(...page.rows.map(({ id }) => id))
    after = page.next
  }
  expect(ids).toEqual(all.rows.map(({ id }: { id: number }) => id))
  expect((await hana.ask('GET', '/api/office/activity?after=nonsense')).statusCode).toBe(400)
  const forged = Buffer.from(JSON.stringify([null, 'first'])).toString('base64url')
  expect((await hana.ask('GET', `/api/office/activity?after=${forged}`)).statusCode).toBe(400)
  const file = await hana.ask('GET', '/api/office/activity/export?words=oswin')
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(file.body).toContain('Made Oswin Carr editor')
  expect((await ask('limit=1')).rows[0].what).toMatch(/^Downloaded \d+ rows as CSV$/)
})

test('the command invites, lists, signs out and removes, and writes into the same log', async () => {
  const command = (...argv: string[]) => typed(shop, officeCommand, argv)
  expect((await command('invite', 'una@shop.example', '--role', 'editor')).said).toMatch(
    /^http\S+\/office\/welcome#\S{43}\nIt works once, until .+, for una@shop\.example as editor\. It was emailed, too\.$/,
  )
  await expect(command('invite', 'una@shop.example', '--role', 'boss')).rejects.toThrow(
    '--role is one of owner',
  )
  await expect(command('invite', 'nonsense')).rejects.toThrow('is no email address')
  expect((await command('list')).said).toMatch(
    /Hana Brodie .* owner .*\n(.*\n)*.*una@shop\.example .*invited/,
  )
  const leaving = await signedInStaff(shop, 'editor', { name: 'Ida Moss' })
  const why = ['--because', 'a lost laptop', '--yes']
  expect((await command('log-out', leaving.email, ...why)).said).toContain('1 session ended.')
  expect((await leaving.ask('GET', '/api/office/me')).statusCode).toBe(401)
  await command('remove', leaving.email, ...why)
  await expect(command('remove', leaving.email, ...why)).rejects.toThrow('Nobody on the team')
  const { rows } = (await hana.ask('GET', '/api/office/activity?by=una')).json()
  expect(rows.map(({ kind, because }: { kind: string; because: string }) => [kind, because])).toEqual([
    ['office remove', 'a lost laptop'],
    ['office log-out', 'a lost laptop'],
  ])
})
