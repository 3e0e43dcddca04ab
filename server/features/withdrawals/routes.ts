import * as contract from '#contract/withdrawals.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { stateWithdrawal } from './service.ts'

export function registerWithdrawals(server: ApiServer): void {
  const { shop } = server
  serve(server, contract.stateWithdrawal, async ({ body, caller, request }) => {
    const { scope = null, ...typed } = body
    const sender = { userId: caller?.userId ?? null, address: request.ip }
    const statement = await stateWithdrawal(shop, { ...typed, scope }, sender)
    return {
      '@context': '/api/contexts/WithdrawalStatement',
      '@id': '/api/withdrawals',
      '@type': 'WithdrawalStatement' as const,
      name: statement.name,
      contract: statement.contract,
      scope: statement.scope,
      email: statement.email,
      statedAt: statement.statedAt.toISOString(),
    }
  })
}
