import { QueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import { createAppRouter } from '../../router.tsx'
import { accountEntries } from './account-entries.tsx'

test('HDR-08: library, settings, membership, password and orders of the account’s menu lead to their own screens', () => {
  const router = createAppRouter(new QueryClient())
  const leads = accountEntries().flatMap(({ key, link }) => {
    const to = (link as ReactElement<{ to?: string }> | undefined)?.props.to
    return to ? [[key, router.matchRoutes(to).at(-1)?.routeId]] : []
  })
  expect(Object.fromEntries(leads)).toMatchObject({
    library: '/library',
    settings: '/settings',
    membership: '/subscription-details',
    'change-password': '/change-password',
    orders: '/orders/',
  })
})
