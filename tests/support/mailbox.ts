import { expect } from '@playwright/test'

interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
}

/** Reads the demo's mailbox: the newest mail to an address with a matching subject. */
export async function mailTo(shopUrl: string, email: string, subject: RegExp) {
  let mail: Mail | undefined
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${shopUrl}/dev/mail.json?to=${encodeURIComponent(email)}`)
        mail = ((await answer.json()) as Mail[]).find((each) => subject.test(each.subject))
        return mail?.subject
      },
      { message: `a mail to ${email}` },
    )
    .toMatch(subject)
  const { links, text } = mail!
  return {
    ...mail!,
    /** The first link with this path, relative to the shop. */
    link: (path: RegExp): string => {
      const url = links.map((each) => new URL(each)).find(({ pathname }) => path.test(pathname))
      if (!url) throw new Error(`No link ${path} among ${links.join(' ')}`)
      return url.pathname + url.search
    },
    // Match a line of its own: an id in a link may look like a code.
    code: /^ *(\d{4}-\d{4})$/m.exec(text)?.[1] ?? '',
  }
}

export async function countMailsTo(shopUrl: string, email: string): Promise<number> {
  const answer = await fetch(`${shopUrl}/dev/mail.json?to=${encodeURIComponent(email)}`)
  return ((await answer.json()) as Mail[]).length
}
