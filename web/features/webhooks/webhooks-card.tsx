import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent, type RefObject } from 'react';
import {
  WEBHOOK_EVENT_LABELS,
  WEBHOOK_EVENTS,
  WEBHOOK_FORMAT_LABELS,
  WEBHOOK_FORMATS,
} from '#contract/webhooks/labels.ts';
import type { Webhook, WebhookDelivery } from '#contract/webhooks/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { formatMoment, pluralize } from '#web/ui/format.ts';
import { readField } from '#web/ui/read-field.ts';
import { QueryState } from '#web/ui/state-message.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from '#web/ui/card-list.module.css';
import common from '#web/ui/common.module.css';

const FOLLOW_EVERY_MS = 5_000;

const webhooksQuery = {
  ...apiQuery('GET /api/admin/webhooks'),
  staleTime: 0,
  refetchInterval: FOLLOW_EVERY_MS,
};

/** Shows the webhooks and what they have sent, in a dialog. */
export function WebhooksCard() {
  const list = useRef<HTMLUListElement>(null);
  const query = useQuery(webhooksQuery);
  const { data } = query;
  return (
    <div className={common['stack']}>
      <p className={common['lead']}>
        Other programs, or a channel of Discord, hear what happens on the boards. Each message is signed.
      </p>
      <AddWebhook />
      <QueryState noun="webhooks" query={query} />
      <ul ref={list} tabIndex={-1} className={styles['list']} aria-label="Webhooks">
        {data?.webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} focusAfter={list} />
        ))}
      </ul>
      {data && data.deliveries.length > 0 && (
        <details>
          <summary>Last deliveries</summary>
          <ul className={styles['list']}>
            {data.deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} webhooks={data.webhooks} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function AddWebhook() {
  const form = useRef<HTMLFormElement>(null);
  const { run, isBusy, result, fields } = useCall('POST /api/admin/webhooks', {
    failure: 'Webhook Not Added',
    onDone: () => form.current?.reset(),
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    void run({ body: readWebhook(event.currentTarget) });
  }

  return (
    <Form ref={form} className={styles['form']} onSubmit={submit}>
      <WebhookFields problem={fields['url']} />
      <Button type="submit" pending={isBusy}>
        Add Webhook
      </Button>
      {result && (
        <TextField
          label="Secret, shown this once"
          hint="Checks the signature."
          readOnly
          value={result.secret}
        />
      )}
    </Form>
  );
}

function WebhookFields({ problem }: { problem: string | undefined }) {
  return (
    <>
      <TextField label="Address" name="url" type="url" required placeholder="https://" error={problem} />
      <SelectField label="Format" name="format">
        {WEBHOOK_FORMATS.map((one) => (
          <option key={one} value={one}>
            {WEBHOOK_FORMAT_LABELS[one]}
          </option>
        ))}
      </SelectField>
      <fieldset className={common['lines']}>
        <legend>Events</legend>
        {WEBHOOK_EVENTS.map((one) => (
          <Switch
            key={one}
            label={WEBHOOK_EVENT_LABELS[one]}
            name={one}
            defaultChecked={one === 'record_set'}
          />
        ))}
      </fieldset>
    </>
  );
}

function readWebhook(form: HTMLFormElement) {
  const fields = new FormData(form);
  return {
    url: readField(form, 'url').trim(),
    format: WEBHOOK_FORMATS.find((one) => one === fields.get('format')) ?? 'pitboard',
    events: WEBHOOK_EVENTS.filter((one) => fields.has(one)),
  };
}

type WebhookRowProps = { webhook: Webhook; focusAfter: RefObject<HTMLElement | null> };

function WebhookRow({ webhook, focusAfter }: WebhookRowProps) {
  const { id, url, events, format, isOn } = webhook;
  const [isRemoving, setIsRemoving] = useState(false);
  const params = { webhookId: id };
  const test = useCall('POST /api/admin/webhooks/:webhookId/test', { failure: 'Webhook Failed' });
  const change = useCall('PUT /api/admin/webhooks/:webhookId', { failure: 'Webhook Failed' });
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['target']}>{url}</p>
        <p className={styles['target']}>
          {WEBHOOK_FORMAT_LABELS[format]}: {events.map((one) => WEBHOOK_EVENT_LABELS[one]).join(', ')}
        </p>
      </div>
      {!isOn && <Badge>Off</Badge>}
      <div className={styles['bar']}>
        <Button pending={test.isBusy} onClick={() => void test.run({ params })}>
          Send Test
        </Button>
        <Button pending={change.isBusy} onClick={() => void change.run({ params, body: { isOn: !isOn } })}>
          {isOn ? 'Switch Off' : 'Switch On'}
        </Button>
        <Button onClick={() => setIsRemoving(true)}>Remove</Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title="Remove this webhook?"
          focusAfter={focusAfter}
          confirmText="Remove"
          onConfirm={(send) => send('DELETE /api/admin/webhooks/:webhookId', { params })}
          onClose={() => setIsRemoving(false)}
        >
          <p>Its log goes with it, and what waits for it is not sent.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

const TONES = { delivered: 'pb', failed: 'bad', waiting: 'neutral' } as const;

function DeliveryRow({ delivery, webhooks }: { delivery: WebhookDelivery; webhooks: readonly Webhook[] }) {
  const { webhookId, event, state, attempts, lastError, createdAt } = delivery;
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['name']}>{event === 'test' ? 'Test' : WEBHOOK_EVENT_LABELS[event]}</p>
        <p className={styles['target']}>
          {formatMoment(createdAt)}, {pluralize(attempts, 'attempt')},{' '}
          {webhooks.find(({ id }) => id === webhookId)?.url}
        </p>
        {lastError !== null && <p className={styles['problem']}>{lastError}</p>}
      </div>
      <Badge tone={TONES[state]}>{state}</Badge>
    </li>
  );
}
