import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSignature, signedAddress, type SigningKeys } from './signed-addresses.ts'

const keys: SigningKeys = [randomBytes(32)]
const user = '7b4b1f0e-2f0b-4f0e-9c55-000000000001'
const session = '5e55104e-2f0b-4f0e-9c55-000000000001'
const now = new Date('2031-05-01T12:00:00Z')
const later = new Date('2031-05-01T13:00:00Z')
const address = signedAddress(keys, '/media/sound/aa.mp3', { userId: user, sessionId: session }, later)

test('an address is valid for the session it was signed for, until it expires', () => {
  expect(readSignature(keys, address, now)).toEqual({ userId: user, sessionId: session })
  expect(readSignature(keys, address, later)).toBeNull()
})

test('an address with one changed part is invalid', () => {
  const changed = [
    address.replace('aa.mp3', 'bb.mp3'),
    address.replace(/exp=(\d+)/, (_, seconds) => `exp=${Number(seconds) + 1}`),
    address.replace(user, user.replace('1', '2')),
    address.replace(session, session.replace('1', '2')),
    address.replace(/&s=[^&]+/, ''),
    address.replace(/sig=./, (start) => (start === 'sig=A' ? 'sig=B' : 'sig=A')),
    address.slice(0, -1),
    address.replace(/&sig=.*/, ''),
    address.replace(/exp=\d+/, 'exp=99999999999'),
    address.replace(/\?.*/, ''),
  ]
  for (const url of changed) expect(readSignature(keys, url, now), url).toBeNull()
})

test('an older key still verifies what it signed; a foreign key does not', () => {
  expect(readSignature([randomBytes(32), ...keys], address, now)?.userId).toBe(user)
  expect(readSignature([randomBytes(32)], address, now)).toBeNull()
})
