// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installPlayer } from '#features/player/lazy.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { fakePorts } from '#tests/support/playable-title.ts'
import { appAt } from '#tests/support/app.tsx'
import { tokensOfWhoIsIn } from '#tests/support/token-store.ts'

const nobody = () => Promise.reject(new NetProblem('offline', 0))

beforeEach(() => {
  configureNet({ exchange: nobody, tokens: tokensOfWhoIsIn })
  installPlayer({ ports: () => fakePorts({ loadBook: nobody }), visit: () => undefined })
  becomeUser({ uuid: crypto.randomUUID(), firstName: 'Rosa', fullName: 'Rosa Lind' }, null)
})
afterEach(() => {
  cleanup()
  becomeVisitor()
})

test.each(['/player/elsewhere', '/read/elsewhere'])(
  '%s of a title that is not on this device has a way back and one to the library, without a connection',
  async (address) => {
    await appAt(address)
    expect(await screen.findByRole('heading', { name: 'This page needs a connection' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open your library' }).getAttribute('href')).toBe('/library')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  },
)
