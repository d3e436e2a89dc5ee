// In charge of what the command takes that brings events to the machine of a customer.
import { Option } from 'commander'
import { add } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addListen(watchdata) {
  add(
    watchdata,
    'listen',
    'print the events of a service as they happen, and post them to a program of yours',
  )
    .option(
      '--forward-to <url>',
      'where each event is posted, signed as a webhook is; without it they are printed',
    )
    .addOption(
      new Option(
        '--key <key>',
        'the API key; others on this machine see it here, so prefer the variable',
      ).env('WATCHDATA_KEY'),
    )
    .addOption(new Option('--url <url>', 'the service').env('WATCHDATA_URL').default('http://127.0.0.1:8080'))
    .addOption(
      new Option('--secret <secret>', 'what they are signed with: whsec_…; without it one is made').env(
        'WATCHDATA_SECRET',
      ),
    )
    .option('--events <names>', 'which: watch.*, brand.updated …, separated by commas', '*')
    .option('--since <cursor>', 'start after this one instead of now; the end of a run tells its own', 'now')
    .addHelpText('after', hint)
    .action(
      async (
        /** @type {import('./listen-options.ts').ListenOptions} */ options,
        /** @type {Command} */ command,
      ) => (await import('./listen.ts')).listenCommand(options, command),
    )
}

const hint = `
With --json, stdout has the body of each event, one on a line, and nothing else:

  WATCHDATA_KEY=wd_live_… watchdata listen --json --events watch.price_changed | jq .data.changes`
