-- The worker's part: what is to be deleted goes, with all that depends on it; the rest becomes active.
DELETE FROM member WHERE provisioning_status = 'PENDING_DELETE'
    OR pool_id IN (SELECT id FROM pool WHERE provisioning_status = 'PENDING_DELETE');
DELETE FROM health_monitor WHERE provisioning_status = 'PENDING_DELETE'
    OR pool_id IN (SELECT id FROM pool WHERE provisioning_status = 'PENDING_DELETE');
DELETE FROM session_persistence
    WHERE pool_id IN (SELECT id FROM pool WHERE provisioning_status = 'PENDING_DELETE');
UPDATE listener SET default_pool_id = NULL
    WHERE default_pool_id IN (SELECT id FROM pool WHERE provisioning_status = 'PENDING_DELETE');
DELETE FROM pool WHERE provisioning_status = 'PENDING_DELETE';
DELETE FROM listener_cidr
    WHERE listener_id IN (SELECT id FROM listener WHERE provisioning_status = 'PENDING_DELETE');
DELETE FROM sni WHERE listener_id IN (SELECT id FROM listener WHERE provisioning_status = 'PENDING_DELETE');
DELETE FROM listener WHERE provisioning_status = 'PENDING_DELETE';
UPDATE load_balancer SET provisioning_status = 'DELETED' WHERE provisioning_status = 'PENDING_DELETE';
UPDATE load_balancer SET provisioning_status = 'ACTIVE' WHERE provisioning_status LIKE 'PENDING_%';
UPDATE listener SET provisioning_status = 'ACTIVE' WHERE provisioning_status LIKE 'PENDING_%';
UPDATE pool SET provisioning_status = 'ACTIVE' WHERE provisioning_status LIKE 'PENDING_%';
UPDATE member SET provisioning_status = 'ACTIVE' WHERE provisioning_status LIKE 'PENDING_%';
UPDATE health_monitor SET provisioning_status = 'ACTIVE' WHERE provisioning_status LIKE 'PENDING_%';
