import * as contract from '#contract/account.ts'
import { exportUser } from '#contract/account-export.ts'
import * as addressContract from '#contract/account-address.ts'
import * as deletionContract from '#contract/account-deletion.ts'
import { registerCart } from '#contract/bag.ts'
import type { Passkey } from '#contract/passkeys.ts'
import * as passkeyContract from '#contract/passkeys.ts'
import type { Challenge } from '../../auth/webauthn.ts'
import * as passkeys from './passkeys.ts'
import { selectPasskeys, type UserPasskey } from './passkey-queries.ts'
import { hydraList, wholeList } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { adoptCart } from '../bag/guest-bag.ts'
import { requestEmailChange, cancelEmailChange, resendEmailChange, undoEmailChange } from './change-email.ts'
import { type Accounts, accountsOf, type Tokens, leaveView, logOut, refreshSession } from './sessions.ts'
import { loggedInDevices, logOutDevice, logOutElsewhere, nameDevice, type LoggedInDevice } from './devices.ts'
import { exportView, ownData } from './data-export.ts'
import { pence, pounds } from '../prices/pricing.ts'
import { changePassword, choosePassword } from './change-password.ts'
import { changeProfile, refuseOthers, loggedUser, showListening } from './service.ts'
import { deleteAccount, previewDeletion } from './delete-account.ts'
import { confirmUser, resendConfirmation } from './email-confirmation.ts'
import { forgotPassword, resetPassword } from './password-reset.ts'
import { logIn, proveIdentity } from './login.ts'
import { isAddressKnown, createAccount } from './registration.ts'
import type { User, Device } from '#contract/account.ts'
import type { Deletion } from '#contract/account-deletion.ts'
import type { Plans } from '#contract/plans.ts'
import type { Benefits } from '../membership/service.ts'
import type { Closing } from '../membership/account-closing.ts'
import { benefitsView } from '../membership/serializers.ts'
import type { UserRow } from './queries.ts'

export function registerAccount(server: ApiServer): void {
  const { shop } = server
  const accounts = accountsOf(shop)

  serve(server, contract.logIn, async ({ body, request }) =>
    tokenPair(await logIn(accounts, body, { address: request.ip, device: body.device })),
  )
  // Both paths are the same endpoint (OP-54).
  for (const endpoint of [
    contract.refreshToken,
    { ...contract.refreshToken, path: '/token/refresh' } as const,
  ])
    serve(server, endpoint, async ({ body, request }) =>
      tokenPair(
        await refreshSession(accounts, body.refresh_token, { address: request.ip, device: body.device }),
      ),
    )
  serve(server, contract.logOut, async ({ body }) => {
    await logOut(accounts, body.refresh_token)
    return undefined
  })
  serve(server, contract.registerUser, async ({ body: { device, ...person }, request }) =>
    tokenPair(await createAccount(accounts, person, { address: request.ip, device })),
  )
  serve(server, contract.isAddressKnown, async ({ body, request }) => ({
    known: await isAddressKnown(accounts, body.email, request.ip),
  }))
  serve(server, contract.registerBuyer, async ({ body: { device, terms: _accepted, ...person }, request }) =>
    tokenPair(await createAccount(accounts, person, { address: request.ip, device })),
  )
  serve(server, registerCart, async ({ params, body, request }) => {
    const { device, terms: _accepted, ...person } = body
    return tokenPair(
      await createAccount(accounts, person, { address: request.ip, device }, (tx, userId) =>
        adoptCart(tx, params.id, userId, shop.now()),
      ),
    )
  })
  serve(server, contract.getLoggedUser, async ({ caller }) => {
    const { row, benefits, ...keys } = await loggedUser(shop, caller)
    return userView(row, benefits, { ...keys, plans: shop.config.details.plans })
  })
  registerDevices(server)
  registerProofs(server)
  registerPasskeys(server, accounts)
  registerProfile(server, accounts)
  registerAddress(server)
}

function registerDevices(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.listDevices, async ({ caller, url }) => {
    const members = (await loggedInDevices(shop, caller)).map(deviceView)
    return hydraList({
      type: 'Device',
      url,
      members,
      total: members.length,
      page: 1,
      itemsPerPage: members.length || 1,
    })
  })
  serve(server, contract.renameDevice, async ({ params: { id }, body: { name }, caller }) => ({
    '@context': '/api/contexts/Device',
    ...deviceView(await nameDevice(shop, caller, { id, name })),
  }))
  serve(server, contract.logOutOtherDevices, async ({ caller }) => {
    await logOutElsewhere(shop, caller)
    return undefined
  })
  serve(server, contract.leaveView, async ({ caller }) => {
    await leaveView(shop, caller)
    return undefined
  })
  serve(server, contract.logOutDevice, async ({ params, caller }) => {
    await logOutDevice(shop, caller, params.id)
    return undefined
  })
}

function registerProofs(server: ApiServer): void {
  const { shop } = server
  const forgot = (id: string) => ({
    '@context': '/api/contexts/ForgotPassword',
    '@id': `/api/forgot_passwords/${id}`,
    '@type': 'ForgotPassword' as const,
    id,
  })
  serve(server, addressContract.confirmUser, async ({ body, caller, request }) => ({
    '@context': '/api/contexts/UserConfirmation',
    '@id': '/api/user_confirmation/confirm',
    '@type': 'UserConfirmation' as const,
    email: await confirmUser(shop, {
      proof: body.confirmationToken,
      password: body.password,
      caller,
      address: request.ip,
    }),
  }))
  serve(server, addressContract.resendConfirmation, async ({ caller }) => {
    await resendConfirmation(shop, caller.userId)
    return undefined
  })
  serve(server, contract.forgotPassword, async ({ body, request }) =>
    forgot(await forgotPassword(shop, body.email, request.ip)),
  )
  serve(server, contract.resetPassword, async ({ params: { id }, body, caller, request }) => {
    const { resetToken: proof, password } = body
    await resetPassword(shop, { id, proof, password, caller, address: request.ip })
    return forgot(id)
  })
}

function registerPasskeys(server: ApiServer, accounts: Accounts): void {
  const { shop } = server
  const sent = ({ challengeId, options }: Challenge<object>) => ({
    challengeId,
    options: { ...options },
  })
  serve(server, passkeyContract.passkeyLogInOptions, async ({ request }) =>
    sent(await passkeys.logInOptions(shop, request.ip)),
  )
  serve(server, passkeyContract.passkeyLogIn, async ({ body: { device, ...answered }, request }) =>
    tokenPair(await passkeys.logInByPasskey(accounts, answered, { address: request.ip, device })),
  )
  serve(server, passkeyContract.listOwnPasskeys, async ({ caller, url }) =>
    wholeList('Passkey', url, (await selectPasskeys(shop.db, caller.userId)).map(passkeyView)),
  )
  serve(server, passkeyContract.ownPasskeyOptions, async ({ caller }) =>
    sent(await passkeys.newPasskeyOptions(shop, caller)),
  )
  serve(server, passkeyContract.addOwnPasskey, async ({ caller, body, request }) => {
    await passkeys.addPasskey(shop, caller, body, request.headers['user-agent'])
    return undefined
  })
  serve(server, passkeyContract.removeOwnPasskey, async ({ caller, params }) => {
    await passkeys.removePasskey(shop, caller, params.id)
    return undefined
  })
  serve(server, passkeyContract.passkeyProofOptions, async ({ caller }) =>
    sent(await passkeys.proofOptions(shop, caller)),
  )
  serve(server, passkeyContract.proveByPasskey, async ({ caller, body }) => {
    await passkeys.proveByPasskey(shop, caller, body)
    return undefined
  })
}

const passkeyView = ({ id, name, createdAt, lastUsedAt, isSynced }: UserPasskey): Passkey => ({
  '@id': `/api/passkeys/${id}`,
  '@type': 'Passkey',
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  isSynced,
})

function registerProfile(server: ApiServer, accounts: Accounts): void {
  const { shop } = server
  for (const endpoint of [
    contract.updateUser,
    contract.updateNewsletter,
    contract.updatePromotions,
    contract.updateChoiceEmails,
  ])
    serve(server, endpoint, async ({ params, body, caller }) => {
      refuseOthers(caller, params.id)
      const { row, benefits, ...keys } = await changeProfile(shop, caller, body)
      return userView(row, benefits, { ...keys, plans: shop.config.details.plans })
    })
  serve(server, contract.showListening, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    const { row, benefits, ...keys } = await showListening(shop, caller, body.shown)
    return userView(row, benefits, { ...keys, plans: shop.config.details.plans })
  })
  serve(server, contract.proveIdentity, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    await proveIdentity(shop, caller, body.password)
    return undefined
  })
  serve(server, contract.choosePassword, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    await choosePassword(accounts, caller, body.newPassword)
    return undefined
  })
  serve(server, contract.changePassword, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    return { token: await changePassword(accounts, caller, body) }
  })
  serve(server, deletionContract.previewDeletion, async ({ params, caller }) => {
    refuseOthers(caller, params.id)
    return deletionView(await previewDeletion(shop, caller.userId))
  })
  serve(server, deletionContract.deleteAccount, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    await deleteAccount(shop, caller.userId, { password: body.password, shownMinor: pence(body.amount) })
    return undefined
  })
  serve(server, exportUser, async ({ params, caller, reply }) => {
    refuseOthers(caller, params.id)
    reply.header('content-disposition', 'attachment; filename="murmur-my-data.json"')
    return exportView(await ownData(shop, caller.userId))
  })
}

function registerAddress(server: ApiServer): void {
  const { shop } = server
  const view = ({ row, benefits, ...keys }: Awaited<ReturnType<typeof loggedUser>>) =>
    userView(row, benefits, { ...keys, plans: shop.config.details.plans })
  serve(server, addressContract.changeEmail, async ({ params, body, caller }) => {
    refuseOthers(caller, params.id)
    return view(await requestEmailChange(shop, caller, body))
  })
  serve(server, addressContract.resendEmailChange, async ({ params, caller }) => {
    refuseOthers(caller, params.id)
    await resendEmailChange(shop, caller.userId)
    return undefined
  })
  serve(server, addressContract.cancelEmailChange, async ({ params, caller }) => {
    refuseOthers(caller, params.id)
    return view(await cancelEmailChange(shop, caller))
  })
  serve(server, addressContract.undoEmailChange, async ({ body, request }) => {
    await undoEmailChange(shop, body.token, request.ip)
    return undefined
  })
}

const tokenPair = ({ token, refreshToken }: Tokens) => ({ token, refresh_token: refreshToken })

interface Keys {
  readonly cartId: string
  readonly feed: string
  readonly paysSomeone: number
  readonly pendingEmail: string | null
  readonly listeningShownUntil: Date | null
  readonly savedCard: { readonly id: string; readonly brand: string; readonly last4: string } | null
  readonly plans: Plans
}

const userView = (
  { user, outletName }: UserRow,
  benefits: Benefits,
  { cartId, feed, paysSomeone, pendingEmail, listeningShownUntil, savedCard, plans }: Keys,
): User => ({
  '@context': '/api/contexts/User',
  '@id': `/api/users/${user.id}`,
  '@type': 'User',
  uuid: user.id,
  email: user.email,
  pendingEmail,
  firstName: user.firstName,
  lastName: user.lastName,
  fullName: `${user.firstName} ${user.lastName}`.trim(),
  address1: user.address1,
  address2: user.address2,
  city: user.city,
  county: user.county,
  countryCode: user.countryCode,
  postCode: user.postCode,
  newsletter: user.newsletter,
  promotions: user.promotions,
  choiceEmails: user.choiceEmails,
  ...(listeningShownUntil && { listeningShownUntil: listeningShownUntil.toISOString() }),
  confirmed: user.confirmedAt !== null,
  ...(user.passwordHash === null && { withoutPassword: true }),
  ...benefitsView(benefits, plans),
  paysSomeone,
  ...(savedCard && { savedCard: { id: savedCard.id, brand: savedCard.brand, last4: savedCard.last4 } }),
  cart: { uuid: cartId },
  jwtMercuryToken: feed,
  outlet: outletName === null ? null : { name: outletName },
})

const deletionView = ({ memberships, amountMinor, freeAudiobooks }: Closing): Deletion => ({
  amount: pounds(amountMinor),
  memberships: memberships.map(({ row, outcome }) => ({
    plan: row.plan,
    gift: row.gift,
    trial: row.status === 'trialing',
    outcome,
  })),
  freeAudiobooks,
})

const deviceView = (device: LoggedInDevice): Device => ({
  '@id': `/api/devices/${device.id}`,
  '@type': 'Device',
  id: device.id,
  name: device.name,
  browser: device.browser,
  current: device.isCurrent,
  lastSeenAt: device.lastSeenAt.toISOString(),
  loggedInAt: device.loggedInAt.toISOString(),
})
