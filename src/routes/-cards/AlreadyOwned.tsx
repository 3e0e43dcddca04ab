import { Link, useRouter } from '@tanstack/react-router'
import { addressOf } from '#features/cards/model.ts'
import { beginAgain, type StoredCode } from '#features/cards/store.ts'
import { coverOf } from '#features/catalogue/model.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './cards.module.css'

/** Told before the code is spent: it is still good, for somebody else. */
export function AlreadyOwned({ owned }: { owned: StoredCode }) {
  const router = useRouter()
  const { audioBook, code, spiSIN } = owned
  const passOn = async () => {
    const { href } = router.buildLocation(addressOf({ step: 'enter', spiSIN }))
    const url = `${router.origin ?? ''}${href}#${encodeURIComponent(code)}`
    try {
      if ('share' in navigator) await navigator.share({ title: audioBook.title, url })
      else await copy(url)
    } catch (problem) {
      // Closed without choosing anybody.
      if (!(problem instanceof DOMException && problem.name === 'AbortError'))
        await copy(url).catch(() => undefined)
    }
  }
  return (
    <Wrap className={styles.owned}>
      <PageHead title="You already have this one" hidden />
      <div className={styles.ownedCover}>
        <Cover picture={coverOf(audioBook)} alt="" sizes="180px" />
      </div>
      <div>
        <Display as="h1" size="lg">
          You already have <i>{audioBook.title}</i>.
        </Display>
        <p className={styles.ownedLead}>
          So we haven’t used your code. The card is still good: pass it on, and somebody else can hear it too.
        </p>
        <p className={styles.code}>{code}</p>
        <div className={styles.ways}>
          <Button look="beak" onClick={() => void passOn()}>
            Pass it on
          </Button>
          <LinkButton to="/library" look="quiet">
            Open your library
          </LinkButton>
          <Link className="text-link" {...addressOf({ step: 'enter', spiSIN })} onClick={beginAgain}>
            Redeem another code
          </Link>
        </div>
      </div>
    </Wrap>
  )
}

async function copy(url: string): Promise<void> {
  await navigator.clipboard.writeText(url)
  toast('Copied. Send the link to whoever should hear it.')
}
