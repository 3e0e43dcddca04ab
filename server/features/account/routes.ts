import * as contract from '#contract/account.ts'
import { type Room, serve } from '../../serve.ts'
import { accountsOf, loggedUser, logIn, logOut, refreshSession, type Tokens } from './rules.ts'
import { userView } from './views.ts'

export function registerAccount(room: Room): void {
  const { shop } = room
  const accounts = accountsOf(shop)

  serve(room, contract.logIn, async ({ body, request }) =>
    tokenPair(await logIn(accounts, { ...body, address: request.ip })),
  )
  // Both addresses are one call (OP-54).
  for (const endpoint of [
    contract.refreshToken,
    { ...contract.refreshToken, path: '/token/refresh' } as const,
  ])
    serve(room, endpoint, async ({ body, request }) =>
      tokenPair(await refreshSession(accounts, body.refresh_token, request.ip)),
    )
  serve(room, contract.logOut, async ({ body }) => {
    await logOut(accounts, body.refresh_token)
    return undefined
  })
  serve(room, contract.getLoggedUser, async ({ caller }) => {
    const { row, benefits } = await loggedUser(shop, caller.userId)
    return userView(row, benefits)
  })
}

const tokenPair = ({ token, refreshToken }: Tokens) => ({ token, refresh_token: refreshToken })
