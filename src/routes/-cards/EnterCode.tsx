import { useRouter } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { CardsPicture } from '#features/cards/CardsPicture.tsx'
import { codeInHash } from '#features/cards/model.ts'
import { RedemptionForm } from '#features/cards/RedemptionForm.tsx'
import { RedemptionSteps } from '#features/cards/RedemptionSteps.tsx'
import { storeTyped, useRedemption } from '#features/cards/store.ts'
import { SupportMail } from '#features/cards/WhomToAsk.tsx'
import { coverOf } from '#features/catalogue/model.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { AlreadyOwned } from './AlreadyOwned.tsx'
import styles from './cards.module.css'
import { useRedeem } from '#features/cards/use-redeem.ts'

interface EnterCodeProps {
  spiSIN: string | null
  title: BookCard | null
}

/** A code is typed here, and a card's QR code leads here (RDM-01). */
export function EnterCode({ spiSIN, title }: EnterCodeProps) {
  const code = useTypedCode(spiSIN)
  const notice = useRedemption((state) => state.notice)
  const owned = useRedemption((state) => state.owned)
  const { redeem } = useRedeem(spiSIN)
  if (owned && owned.spiSIN === spiSIN) return <AlreadyOwned owned={owned} />
  return (
    <Wrap className={styles.enter}>
      <PageHead
        title={`Someone handed you ${title?.title ?? 'a story'}`}
        description="The code on your card turns into an audiobook. It takes three steps and is yours to keep."
        {...(spiSIN === null ? { canonical: '/redemption' } : { hidden: true })}
      />
      <div>
        <Display as="h1" size="lg">
          Someone handed you{' '}
          {title ? (
            <i>{title.title}</i>
          ) : (
            <>
              a <i>story</i>
            </>
          )}
          .
        </Display>
        <p className={styles.lead}>
          The code on your card turns into an audiobook. It takes three steps and is yours to keep.
        </p>
        <RedemptionSteps>
          <RedemptionForm code={code} onType={storeTyped} onRedeem={redeem} notice={notice} />
        </RedemptionSteps>
        <p className={styles.help}>
          Trouble with a code? <SupportMail />
        </p>
      </div>
      {title ? (
        <Cover
          className={styles.cover}
          picture={coverOf(title)}
          alt={title.coverAlt}
          sizes="(min-width: 768px) 420px, 0px"
        />
      ) : (
        <CardsPicture className={styles.picture} />
      )}
    </Wrap>
  )
}

/** The content of the field; nothing before the page is alive, since the server knows no code. */
function useTypedCode(spiSIN: string | null): string {
  const router = useRouter()
  const [alive, setAlive] = useState(false)
  const typed = useRedemption((state) => state.typed)
  const stored = useRedemption((state) => (state.stored?.spiSIN === spiSIN ? state.stored.code : ''))
  const hash = router.state.location.hash
  useLayoutEffect(() => setAlive(true), [])
  useEffect(() => {
    const code = codeInHash(hash)
    if (code === '') return
    storeTyped(code)
    // Not left in the address, where a history or a shared link would keep it.
    void router.navigate({ to: '.', hash: '', replace: true })
  }, [router, hash])
  return alive ? typed || stored : ''
}
