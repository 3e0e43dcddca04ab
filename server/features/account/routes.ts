import * as contract from '#contract/account.ts'
import { type Room, serve } from '../../serve.ts'
import { exportView } from './export-view.ts'
import { changePassword, changeProfile, deleteAccount, ownData, refuseOthers } from './profile-rules.ts'
import { confirmUser, forgotPassword, resendConfirmation, resetPassword } from './proof-rules.ts'
import {
  type Accounts,
  accountsOf,
  loggedUser,
  logIn,
  logOut,
  refreshSession,
  openAccount,
  type Tokens,
} from './rules.ts'
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
  for (const endpoint of [contract.registerUser, contract.registerBuyer])
    serve(room, endpoint, async ({ body, request }) => {
      const { email, password, firstName, lastName, countryCode, newsletter = false } = body
      const person = { email, password, firstName, lastName, countryCode, newsletter }
      return tokenPair(await openAccount(accounts, person, request.ip))
    })
  serve(room, contract.getLoggedUser, async ({ caller }) => {
    const { row, benefits, ...keys } = await loggedUser(shop, caller.userId)
    return userView(row, benefits, keys)
  })
  registerProofs(room)
  registerProfile(room, accounts)
}

function registerProofs(room: Room): void {
  const { shop } = room
  const forgot = (id: string) => ({
    '@context': '/api/contexts/ForgotPassword',
    '@id': `/api/forgot_passwords/${id}`,
    '@type': 'ForgotPassword' as const,
    id,
  })
  serve(room, contract.confirmUser, async ({ body, caller, request }) => ({
    '@context': '/api/contexts/UserConfirmation',
    '@id': '/api/user_confirmation/confirm',
    '@type': 'UserConfirmation' as const,
    email: await confirmUser(shop, body.confirmationToken, caller, request.ip),
  }))
  serve(room, contract.resendConfirmation, async ({ caller }) => {
    await resendConfirmation(shop, caller.userId)
    return undefined
  })
  serve(room, contract.forgotPassword, async ({ body, request }) =>
    forgot(await forgotPassword(shop, body.email, request.ip)),
  )
  serve(room, contract.resetPassword, async ({ params: { id }, body, caller, request }) => {
    const { resetToken: proof, password } = body
    await resetPassword(shop, { id, proof, password, caller, address: request.ip })
    return forgot(id)
  })
}

function registerProfile(room: Room, accounts: Accounts): void {
  const { shop } = room
  for (const endpoint of [contract.updateUser, contract.updateNewsletter, contract.updatePromotions])
    serve(room, endpoint, async ({ params, body, caller }) => {
      refuseOthers(caller, params.id)
      const { row, benefits, ...keys } = await changeProfile(shop, caller, body)
      return userView(row, benefits, keys)
    })
  serve(room, contract.changePassword, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    return { token: await changePassword(accounts, caller, body) }
  })
  serve(room, contract.deleteAccount, async ({ params, caller }) => {
    refuseOthers(caller, params.id)
    await deleteAccount(shop, caller.userId)
    return undefined
  })
  serve(room, contract.exportUser, async ({ params, caller, reply }) => {
    refuseOthers(caller, params.id)
    reply.header('content-disposition', 'attachment; filename="murmur-my-data.json"')
    return exportView(await ownData(shop, caller.userId))
  })
}

const tokenPair = ({ token, refreshToken }: Tokens) => ({ token, refresh_token: refreshToken })
