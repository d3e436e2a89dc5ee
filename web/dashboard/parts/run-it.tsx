// The example request shown with a new key: a curl command to paste, and a button that sends the request and shows the
// response with its quota headers.
import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { curlOf } from '../../scripts/curl.ts'
import { kept, start } from '../account.ts'
import { Code } from './copy.tsx'
import { RunAnswer, RunOutcome } from './run-answer.tsx'
import { isEmptyList, runCall } from './run-call.ts'
import { Trouble } from './state.tsx'
import './run-it.css'
import { BusyButton } from './busy-button.tsx'

const blueDials = '/api/v1/watches?spec[dial_color]=blue&per_page=2'
const anyWatches = '/api/v1/watches?per_page=2'
/** Time until the server has stored when the key was last used, which it writes in batches. */
const notedMs = 6_000

interface RunItProps {
  /** The key itself. */
  readonly secret: string
  readonly onCopied: () => void
}

export function RunIt({ secret, onCopied }: RunItProps) {
  const [path, setPath] = useState(blueDials)
  const refresh = useRefresh()
  const run = useMutation({
    mutationFn: async () => {
      const outcome = await runCall(path, secret)
      if (path !== blueDials || !isEmptyList(outcome)) return outcome
      // The catalogue has no blue dials. An empty list would be a poor first response, so request any watches.
      setPath(anyWatches)
      return runCall(anyWatches, secret)
    },
    onSuccess: refresh,
  })
  const answer = useRef<HTMLDivElement>(null)
  useEffect(() => answer.current?.scrollIntoView({ block: 'nearest' }), [run.data])
  const command = curlOf(start.baseUrl + path, secret)
  return (
    <div class="run stack">
      <Code label="Request with this key" text={command} onCopied={onCopied}>
        <WithKeyMarked command={command} secret={secret} />
      </Code>
      <p class="actions run-actions">
        <BusyButton class="button" isBusy={run.isPending} onClick={() => run.mutate()}>
          {run.isPending ? 'Running…' : run.data === undefined ? 'Run it' : 'Run it again'}
        </BusyButton>
        <span class="note">Sends the request from this page. It counts against today’s quota.</span>
      </p>
      {run.error !== null && <Trouble error={run.error} />}
      <div ref={answer}>
        <p class="run-outcome" role="status">
          {run.data !== undefined && <RunOutcome outcome={run.data} />}
        </p>
        {run.data !== undefined && <RunAnswer outcome={run.data} />}
      </div>
    </div>
  )
}

function WithKeyMarked({ command, secret }: { command: string; secret: string }) {
  const [before = '', after = ''] = command.split(secret)
  return (
    <>
      {before}
      <span class="run-key">{secret}</span>
      {after}
    </>
  )
}

/** Refetches the usage, requests and keys on the page: now for the count, and later for when the key was last used. */
function useRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    const ask = () => {
      for (const queryKey of [kept.account, kept.requests, kept.keys])
        void client.invalidateQueries({ queryKey })
    }
    ask()
    setTimeout(ask, notedMs)
  }
}
