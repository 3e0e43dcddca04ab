import { useEffect, useState } from 'react'
import { followCodeOfOtherTabs } from '#features/cards/store.ts'
import { PageHead } from '#app/page/PageHead.tsx'
import { CodeReady } from './CodeReady.tsx'
import { EnterCode } from './EnterCode.tsx'
import type { RedemptionAt } from '#features/cards/load-redemption.ts'
import { LogInToRedeem } from './LogInToRedeem.tsx'
import { Redeemed } from './Redeemed.tsx'
import { RedemptionError } from './RedemptionError.tsx'
import { SignUpToRedeem } from './SignUpToRedeem.tsx'

const TITLES = {
  confirmation: 'Your code is good',
  login: 'Log in to redeem',
  'sign-up': 'Create an account to redeem',
  welcome: 'Welcome',
  error: 'Problem redeeming your audiobook',
} as const

/** Both wizards, the generic one and each title's own (RDM-28): the same steps, by their place. */
export function RedemptionScreen({ place, title }: RedemptionAt) {
  useEffect(() => followCodeOfOtherTabs(), [])
  const { step, spiSIN } = place
  if (step === 'enter') return <EnterCode spiSIN={spiSIN} title={title} />
  return (
    <>
      <PageHead title={TITLES[step]} hidden />
      <OnDevice>
        {step === 'confirmation' && <CodeReady spiSIN={spiSIN} />}
        {step === 'login' && <LogInToRedeem spiSIN={spiSIN} />}
        {step === 'sign-up' && <SignUpToRedeem spiSIN={spiSIN} />}
        {step === 'welcome' && <Redeemed spiSIN={spiSIN} />}
        {step === 'error' && <RedemptionError spiSIN={spiSIN} />}
      </OnDevice>
    </>
  )
}

/** This device alone knows what a step shows: it is drawn after the server's markup has come alive. */
function OnDevice({ children }: { children: React.ReactNode }) {
  const [alive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  return alive ? children : <div aria-busy="true" />
}
