import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#contract/account.ts'
import { useSession } from '#session/store.ts'
import { useRedeem } from './use-redeem.ts'

/**
 * Somebody comes in, and their code is redeemed; a bookshop's account goes to its desk instead (RDM-16). `alreadyIn` is
 * only whoever was here before: between coming in and the next step the screen is drawn once more (RDM-05, RDM-06).
 */
export function useComingIn(spiSIN: string | null) {
  const navigate = useNavigate()
  const { redeemKept } = useRedeem(spiSIN)
  const [coming, setComing] = useState(false)
  const signedIn = useSession((state) => state.ready && state.status === 'user')

  const comeIn = async (open: () => Promise<User>) => {
    setComing(true)
    let user: User
    try {
      user = await open()
    } catch (problem) {
      setComing(false)
      throw problem
    }
    await (user.outlet ? navigate({ to: '/activation', replace: true }) : redeemKept())
  }
  return { alreadyIn: signedIn && !coming, comeIn }
}
