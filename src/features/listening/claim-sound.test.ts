import { afterEach, expect, test, vi } from 'vitest'
import { soon } from '#tests/support/wait-for.ts'

/** Two tabs are two copies of the module, on one channel. */
async function tab() {
  vi.resetModules()
  return import('./claim-sound.ts')
}
const releases: (() => void)[] = []
afterEach(() => releases.splice(0).forEach((release) => release()))

test('trap 21: playing in one tab silences the other, which no longer holds the sound', async () => {
  const [one, other] = [await tab(), await tab()]
  const lost: string[] = []
  const oneMayWriteWhenTold: boolean[] = []
  releases.push(
    one.claimSound(() => {
      lost.push('one')
      oneMayWriteWhenTold.push(one.holdsSound())
    }),
  )
  expect(one.holdsSound()).toBe(true)

  releases.push(other.claimSound(() => lost.push('other')))
  await soon(() => expect(lost).toEqual(['one']))
  expect(oneMayWriteWhenTold).toEqual([false])
  expect([one.holdsSound(), other.holdsSound()]).toEqual([false, true])

  releases.push(one.claimSound(() => lost.push('one')))
  await soon(() => expect(lost).toEqual(['one', 'other']))
  expect([one.holdsSound(), other.holdsSound()]).toEqual([true, false])
})

test('a tab that never played does not hold the sound', async () => {
  expect((await tab()).holdsSound()).toBe(false)
})

test('a released claim can’t be lost again', async () => {
  const { claimSound, giveSoundAway } = await tab()
  const onLost = vi.fn()
  claimSound(onLost)()
  giveSoundAway()
  expect(onLost).not.toHaveBeenCalled()
  claimSound(onLost)
  giveSoundAway()
  giveSoundAway()
  expect(onLost).toHaveBeenCalledOnce()
})
