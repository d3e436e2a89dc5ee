// Draws the watch dial, the only picture on these pages. The server sets the hands and CSS animates them, so the dial
// shows the time without a script.

import { type Html, html } from './html.ts'

/** A dial that starts at `nowIso` in UTC and keeps running. Its crown is a checkbox: while checked, the hands stop. */
export function runningDial(nowIso: string): Html {
  const moment = new Date(nowIso)
  const time = moment.toISOString().slice(11, 16)
  return html`<div class="dial dial-running">
  ${face(moment, `A watch dial. It was ${time} UTC when this page was loaded.`)}
  <input class="crown" type="checkbox" aria-label="Stop the hands" title="Pull the crown to stop the hands">
</div>`
}

export function stoppedDial(atIso: string, label: string): Html {
  return html`<div class="dial">
  ${face(new Date(atIso), label)}
</div>`
}

function face(moment: Date, label: string): Html {
  const seconds = moment.getUTCSeconds() + moment.getUTCMilliseconds() / 1000
  const minutes = moment.getUTCMinutes() + seconds / 60
  const hours = (moment.getUTCHours() % 12) + minutes / 60
  return html`<svg viewBox="-120 -120 240 240" role="img" aria-label="${label}">
    <circle class="dial-case" r="117"/>
    <circle class="dial-plate" r="110"/>
    ${minuteTrack}
    <text class="dial-name" y="-43">watchdata</text>
    <text class="dial-zone" y="50">UTC</text>
    <rect class="dial-window" x="57" y="-9" width="21" height="18" rx="1"/>
    <text class="dial-date" x="67.5" y="4.2">${moment.getUTCDate()}</text>
    <g transform="rotate(${degrees(hours / 12)})"><path class="hand hand-hour" d="M-2.4 15 L-3.7 -2 L-2.4 -53 L0 -60 L2.4 -53 L3.7 -2 L2.4 15 Z"/></g>
    <g transform="rotate(${degrees(minutes / 60)})"><path class="hand hand-minute" d="M-1.9 19 L-2.9 -2 L-1.5 -87 L0 -94 L1.5 -87 L2.9 -2 L1.9 19 Z"/></g>
    <g transform="rotate(${degrees(seconds / 60)})"><path class="hand hand-second" d="M-.7 -98 L.7 -98 L.7 14 L2.2 14 L2.2 30 L-2.2 30 L-2.2 14 L-.7 14 Z"/></g>
    <circle class="dial-pin" r="4.2"/>
    <circle class="dial-pin-eye" r="1.3"/>
  </svg>`
}

function degrees(turn: number): string {
  return (turn * 360).toFixed(2)
}

const minuteTrack: readonly Html[] = Array.from({ length: 60 }, (_, minute) => mark(minute))

function mark(minute: number): Html {
  const turn = `rotate(${minute * 6})`
  if (minute % 5 !== 0) return html`<path class="dial-minute" d="M0 -104 V-98.5" transform="${turn}"/>`
  // The mark at 12 is doubled so that the top is easy to find; the one at 3 is shorter to leave space for the date.
  const baton = minute === 0 ? 'M-3.5 -92 V-72 M3.5 -92 V-72' : minute === 15 ? 'M0 -92 V-82' : 'M0 -92 V-72'
  return html`<g transform="${turn}"><path class="dial-five" d="M0 -104 V-97"/><path class="dial-hour" d="${baton}"/></g>`
}
