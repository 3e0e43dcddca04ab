import { createServer, type Socket, type AddressInfo } from 'node:net'
import { once } from 'node:events'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

export interface MailServer {
  readonly url: string
  readonly received: ReceivedMail[]
  /** Sets the response to a recipient; 250 by default. */
  answerWith(code: number): void
  close(): Promise<void>
}

/** A mail server that accepts everything, with just enough SMTP for one correct client. */
export async function mailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let answer = 250
  const open = new Set<Socket>()

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => undefined)
    let buffer = ''
    let from = ''
    let to: string[] = []
    let inData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') return say('250 here')
      if (verb === 'MAIL') {
        from = addressIn(line)
        to = []
        return say('250 ok')
      }
      if (verb === 'RCPT') {
        if (answer === 250) to.push(addressIn(line))
        return say(`${answer} ${answer === 250 ? 'ok' : 'no'}`)
      }
      if (verb === 'DATA') {
        inData = true
        return say('354 go on')
      }
      if (verb === 'QUIT') {
        say('221 bye')
        return void socket.end()
      }
      return say('250 ok')
    }
    say('220 mail.example')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      buffer += chunk
      read()
    })
    const read = () => {
      if (inData) {
        const end = buffer.indexOf('\r\n.\r\n')
        if (end < 0) return
        const raw = buffer.slice(0, end).replaceAll(/^\.\./gm, '.')
        buffer = buffer.slice(end + 5)
        inData = false
        received.push({ from, to, headers: headersOf(raw), raw })
        say('250 taken')
      }
      for (let end = buffer.indexOf('\r\n'); end >= 0 && !inData; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        command(line)
      }
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answerWith: (code) => void (answer = code),
    close: async () => {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  return new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
