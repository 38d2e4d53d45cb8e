"""The signs by which a text is known for an OpenStack cloud.conf or for another program's file: names and patterns.

The CCM's own sections and keys are in the catalogue; here is what they weigh. Names are separated by blanks and compared
as `ccmcheck.base.suggest.fold_name` does: without case, hyphens and underscores.

Sources:
* Octavia: etc/octavia.conf and octavia/common/config.py (openstack/octavia 0e6ea11c2).
* OpenStack services: the oslo libraries' option groups (oslo.messaging, oslo.policy, keystonemiddleware), and the sample
  configuration of nova, neutron, cinder, magnum, heat, barbican, kuryr-kubernetes and tempest.
* vSphere: kubernetes/cloud-provider-vsphere pkg/common/config, docs/book/cloud_config.md, and the CSI driver's
  csi-vsphere.conf; k8s.io/legacy-cloud-providers vsphere.
* AWS: kubernetes/cloud-provider-aws pkg/providers/v1/config/config.go. GCE: k8s.io/cloud-provider-gcp
  providers/gce/gce.go. CloudStack: apache/cloudstack-kubernetes-provider cloudstack.go. Photon, Rackspace and oVirt:
  kubernetes v1.9 pkg/cloudprovider/providers. Rackspace: rackspace-spot/cloud-provider-rackspace
  pkg/cloudprovider/providers/openstack/openstack.go and manifests/cloud-config, too. IBM: IBM-Cloud/cloud-provider-ibm ibm/ibm.go.
* FlexVolume: cloud-provider-openstack before 1.16, pkg/flexvolume, cluster/images/flex-volume-driver/cinder.conf.default.
* Huawei: kubernetes-sigs/cloud-provider-huaweicloud pkg/config/config.go; huaweicloud/huaweicloud-csi-driver, whose [Vpc]
  Flexible Engine and others took over. KubeStack: Hypernetes' network provider, later harmonystack and Stackube's.
* Azure: kubernetes-sigs/cloud-provider-azure pkg/provider/config. Alibaba: kubernetes/cloud-provider-alibaba-cloud
  pkg/config. Nutanix: nutanix-cloud-native/cloud-provider-nutanix.
* Exoscale: exoscale/exoscale-cloud-controller-manager exoscale/config.go. KubeVirt: kubevirt/cloud-provider-kubevirt
  pkg/provider/cloud.go. OCI: oracle/oci-cloud-controller-manager pkg/cloudprovider/providers/oci/config.
* Encrypted files: ansible-vault's documentation; getsops/sops README; C2SP age.md; RFC 9580; AGWA/git-crypt
  util.cpp and commands.cpp.
* cloud-init: its documentation's module reference. TOML: toml.io v1.0.0, arrays and inline tables.
* Samba smb.conf(5), pip's configuration guide, fio(1), ceph.conf (doc/rados/configuration), php-fpm.conf, my.cnf,
  systemd.network(5), systemd.service(5), setup.cfg (setuptools), git-config(1).
* What is said of how people write: mistakes in public repositories, see tests/wild/README.md.
"""

from __future__ import annotations

from enum import Enum

from ccmcheck.base.records import NamedTuple


class Form(Enum):
    """What is looked for in a text."""

    CATALOGUE = "names that the catalogue has"
    DOUBT = "what the CCM does not read"
    SECTION = "sections; one that ends with * stands for all that begin so"
    KEY = "keys below sections of cloud.conf, or of nobody"
    LOGIN = "keys of [Global], all of them"
    HOST = "hosts of auth-url, or their subdomains"
    JSON = "keys of a JSON object"
    YAML = "keys at the start of a line, with a colon"
    MATCH = "a pattern that the text begins with"
    ENCODED = "parts of it in base64, see `ccmcheck.signs.forms.ENCODED`"
    FORMAT = "what `ccmcheck.catalog.foreign_format` calls it"


class KnownBy(Enum):
    """What calls a text a cloud.conf before anybody looks into it."""

    NOTHING = "nothing, it was found in a folder"
    FILE = "its file's name"
    OBJECT = "the key of an object that holds it"
    USER = "the user, who names it"


NAMED = (KnownBy.FILE, KnownBy.OBJECT, KnownBy.USER)

LEAST: dict[KnownBy, int] = {KnownBy.NOTHING: 2, KnownBy.FILE: 1, KnownBy.OBJECT: -1, KnownBy.USER: -1}
"""The weight that makes a text a cloud.conf; in a folder, beside a key that only the CCM has."""

ALONE: dict[KnownBy, int] = {KnownBy.FILE: 2, KnownBy.OBJECT: 1, KnownBy.USER: 1}
"""The weight of one sign that is enough whatever else a text has, but for another program's signs."""

DECISIVE = 10_000
"""The weight of what decides whatever else a text has."""
FORMAT = 5_000
"""The weight of another form of what the CCM needs: more than every doubt."""
WEAK = 1
"""The weight of what people write into a cloud.conf as well."""


class Sign(NamedTuple):
    """One sign.

    Attributes:
        form: What is looked for.
        names: The names, separated by blanks; for a pattern the regular expression.
        weight: How much it weighs for the program whose it is, or for a cloud.conf; below 0 against it.
        example: A text that has it, where the names show none.
        says: What it is called in an answer, where its names are not.
        known_by: Where it counts.
    """

    form: Form
    names: str
    weight: int = 2
    example: str = ""
    says: str = ""
    known_by: tuple[KnownBy, ...] = NAMED


OWN_KEY = Sign(Form.CATALOGUE, "", 2, "[LoadBalancer]\nlb-provider = ovn\n")
"""A key that no other program has, or that is almost it, in its section."""
MISPLACED_KEY = Sign(Form.CATALOGUE, "", 1, "[Global]\nlb-provider = ovn\n")
"""The same in another section or none, with a hyphen, as other programs seldom write it."""
GENERIC_KEY = Sign(
    Form.CATALOGUE,
    """
    region username password cloud token enabled keyring endpoint user-id domain-id domain-name subnet-id network-id
    availability-zone flavor-id ca-file cert-file key-file key-id request-timeout node-selector secret-name
    secret-namespace kubeconfig-path trust-id tenant-id router-id
    """,
    1,
    "[Global]\nregion = R\n",
)
"""A key of cloud.conf that many other programs have, too: it proves nothing outside its section."""
OWN_SECTION = Sign(Form.CATALOGUE, "LoadBalancer LoadBalancerClass BlockStorage", 1, "[BlockStorage]\n")
"""A section that few other programs have."""
SECTION = Sign(Form.CATALOGUE, "", 0, "[Global]\n")
"""Any other section of cloud.conf, or one that is almost it: a name that proves nothing, and is something."""
UNKNOWN_KEY = Sign(Form.DOUBT, "", -1, "[Global]\ncolour = red\n", "unknown key")
UNKNOWN_SECTION = Sign(Form.DOUBT, "", -1, "[colours]\n", "unknown section")
NO_INI = Sign(Form.DOUBT, "", -1, "[Global]\nlb1 host=192.0.2.1\n", "other line")
TOML = Sign(Form.DOUBT, "", -2, '[Global]\nhosts = ["a"]\n', "TOML value")

CLOUD_CONF: tuple[Sign, ...] = (
    Sign(Form.FORMAT, "a clouds.yaml", FORMAT),
    Sign(Form.FORMAT, "the chart's values", FORMAT),
    Sign(Form.FORMAT, "an openrc file", FORMAT, known_by=(KnownBy.OBJECT, KnownBy.USER)),
    Sign(Form.FORMAT, "a Kubernetes manifest", FORMAT, known_by=(KnownBy.OBJECT, KnownBy.USER)),
    *(Sign(Form.FORMAT, name, FORMAT, known_by=(KnownBy.OBJECT,)) for name in ("PEM", "YAML", "JSON")),
    Sign(Form.ENCODED, "an encoded cloud.conf", FORMAT, "W0dsb2JhbF0KYXV0aC11cmw9eAo=\n"),
    Sign(
        Form.MATCH,
        r"(?:\s|[#;][^\n]*+(?:\n|\Z)|\$\{[^{}\n]*+\}|\{\{[^{}\n]*+\}\}|\{%[^\n]*?%\}|<%[^\n]*?%>)*+\Z",
        FORMAT,
        "${CLOUD_CONF}\n",
        "a template of the whole",
    ),
)
"""Other forms of what the CCM needs, in the place of a cloud.conf."""

ENCRYPTED_BY = "a text encrypted by "
"""How a text is called that is unknown as a whole."""

PROGRAMS: dict[str, tuple[Sign, ...]] = {
    "Octavia's own octavia.conf": (
        Sign(
            Form.SECTION,
            """
            api_settings service_auth health_manager controller_worker house_keeping haproxy_amphora amphora_agent
            driver_agent task_flow keepalived_vrrp quotas jobboard
            """,
        ),
        Sign(
            Form.KEY,
            """
            bind_host bind_port api_handler enabled_provider_drivers default_provider_driver lb_network_name
            max_retries retry_interval port_detach_timeout amp_image_tag amp_flavor_id amp_boot_network_list
            amp_secgroup_list amp_ssh_key_name loadbalancer_topology heartbeat_key controller_ip_port_list
            event_stream_topic octavia_plugins network_driver compute_driver amphora_driver
            """,
        ),
    ),
    "an OpenStack service's configuration": (
        Sign(
            Form.SECTION,
            """
            DEFAULT oslo_* keystone_authtoken keystone keystone_auth database api_database placement
            placement_database service_user neutron nova glance glance_store heat octavia barbican
            ironic swift trust trustee_auth certificates cors healthcheck audit ml2 ml2_* securitygroup ovs ovn
            linux_bridge vxlan agent agents vnc spice libvirt scheduler filter_scheduler api wsgi profiler
            cache conductor quota privsep os_vif_* vif_plug_* octavia_defaults neutron_defaults cni_daemon
            nova_metadata service_available network-feature-enabled identity_feature_enabled
            docker_registry docker kubernetes_client magnum_client heat_client cinder_client glance_client
            neutron_client nova_client octavia_client keystone_auth fernet_tokens credential eventlet_server
            """,
        ),
        Sign(
            Form.KEY,
            """
            transport_url www_authenticate_uri auth_uri memcached_servers auth_type auth_plugin auth_strategy
            auth_host auth_port auth_protocol admin_user admin_password admin_tenant_name service_token_roles_required
            rabbit_host rabbit_hosts rabbit_userid rabbit_password rabbit_port rpc_backend lock_path log_dir log_file
            use_syslog use_stderr core_plugin service_plugins policy_file paste_config api_paste_config
            """,
        ),
        Sign(Form.KEY, "project_domain_name project_domain_id connection", WEAK),
    ),
    "the configuration of vSphere's cloud provider": (
        Sign(
            Form.SECTION,
            "VirtualCenter Workspace Disk Network Labels Nodes NSXT VirtualMachine Snapshot TopologyCategory NetPermissions",
        ),
        Sign(
            Form.KEY,
            """
            insecure-flag datacenters datastore default-datastore resourcepool-path working-dir vm-uuid vm-name
            soap-roundtrip-count thumbprint public-network scsicontrollertype vcenter-ip cluster-id
            cluster-distribution ipPoolName ipPoolID lbServiceId tier1GatewayPath tcpAppProfileName udpAppProfileName
            snatDisabled routerPath internal-network-subnet-cidr external-network-subnet-cidr
            internal-vm-network-name external-vm-network-name topology-categories
            """,
        ),
        Sign(Form.KEY, "datacenter server user port", WEAK),
        Sign(Form.YAML, "vcenter", DECISIVE),
    ),
    "the configuration of AWS's cloud provider": (
        Sign(Form.SECTION, "ServiceOverride"),
        Sign(
            Form.KEY,
            """
            vpc routetableid rolearn kubernetesclustertag kubernetesclusterid disablesecuritygroupingress
            disablestrictzonecheck elbsecuritygroup nodeipfamilies clusterserviceloadbalancerhealthprobemode
            clusterservicesharedloadbalancerhealthprobeport sourceofhostname signingregion signingmethod
            """,
        ),
        Sign(Form.KEY, "zone", WEAK),
    ),
    "the configuration of GCE's cloud provider": (
        Sign(
            Form.KEY,
            """
            token-url token-body network-project-id network-name subnetwork-name secondary-range-name node-tags
            node-instance-prefix multizone regional local-zone api-endpoint container-api-endpoint alpha-features
            stack-type
            """,
        ),
        Sign(Form.KEY, "project-id", WEAK),
    ),
    "the configuration of CloudStack's cloud provider": (
        Sign(Form.KEY, "api-url api-key secret-key ssl-no-verify"),
        Sign(Form.KEY, "project-id zone", WEAK),
    ),
    "the configuration of Rackspace's cloud provider": (
        Sign(Form.KEY, "api-key"),
        # it has the sections and keys of the CCM that it comes from; a user name with an API key logs in to Rackspace only,
        # whose OpenStack clouds have their Keystones on other hosts
        Sign(Form.LOGIN, "auth-url username api-key", DECISIVE),
        Sign(Form.HOST, "identity.api.rackspacecloud.com", DECISIVE),
    ),
    "the configuration of the Cinder FlexVolume driver": (Sign(Form.SECTION, "RBD", DECISIVE),),
    "the configuration of Huawei Cloud's cloud provider": (
        Sign(Form.KEY, "access-key secret-key idle-timeout security-group-id vpc-id ak sk"),
        Sign(Form.KEY, "project-id", WEAK),
        Sign(Form.LOGIN, "access-key secret-key", DECISIVE),
        Sign(Form.SECTION, "Vpc", DECISIVE),
    ),
    "the configuration of KubeStack": (  # [Global] has the CCM's login
        Sign(Form.KEY, "ext-net-id plugin-name integration-bridge"),
        Sign(Form.SECTION, "Plugin", DECISIVE),
    ),
    "the configuration of IBM Cloud's cloud provider": (
        Sign(Form.SECTION, "kubernetes provider load-balancer-deployment"),
        Sign(
            Form.KEY,
            """
            config-file cluster-default-provider calico-datastore account-id accountid clusterid vlan-ip-config-map
            g2credentials g2vpcname g2workerserviceaccountid iks-private-endpoint-hostname
            """,
        ),
    ),
    "the configuration of oVirt's cloud provider": (
        Sign(Form.SECTION, "connection filters"),
        Sign(Form.KEY, "vms"),
        Sign(Form.KEY, "uri", WEAK),
    ),
    "the configuration of Photon's cloud provider": (
        Sign(Form.KEY, "ignoreCertificate overrideIP vmID"),
        Sign(Form.KEY, "target authentication", WEAK),
    ),
    "Samba's smb.conf": (
        Sign(Form.SECTION, "homes printers print$ netlogon profiles"),
        Sign(Form.KEY, "workgroup browseable writable"),
        Sign(Form.KEY, "interfaces security path", WEAK),
    ),
    "pip's configuration": (
        Sign(Form.SECTION, "install freeze"),
        Sign(Form.KEY, "index-url extra-index-url trusted-host find-links"),
        Sign(Form.KEY, "timeout", WEAK),
    ),
    "a job file of fio": (
        Sign(Form.KEY, "ioengine iodepth runtime time_based numjobs group_reporting filename randrepeat"),
        Sign(Form.KEY, "rw bs direct size", WEAK),
    ),
    "Ceph's ceph.conf": (
        Sign(Form.SECTION, "mon osd mgr mds client mon.* osd.* client.*"),
        Sign(
            Form.KEY,
            "fsid mon_host mon_initial_members auth_cluster_required auth_service_required auth_client_required",
        ),
    ),
    "php-fpm's configuration": (
        Sign(Form.SECTION, "www"),
        Sign(Form.KEY, "error_log daemonize pm"),
        Sign(Form.KEY, "pid include listen", WEAK),
    ),
    "MySQL's configuration": (
        Sign(Form.SECTION, "mysqld client mysql mysqldump galera"),
        Sign(Form.KEY, "datadir socket bind-address"),
    ),
    "a unit or network file of systemd": (
        Sign(Form.SECTION, "Unit Service Install Socket Timer Match Address DHCP DHCPv4 Link NetDev"),
        Sign(Form.KEY, "ExecStart ExecStartPre WantedBy Gateway Destination"),
        Sign(Form.KEY, "Description", WEAK),
    ),
    "a setup.cfg": (
        Sign(Form.SECTION, "options options.* tool:* flake8 mypy bdist_wheel aliases testenv tox"),
        Sign(Form.KEY, "long_description classifiers install_requires packages zip_safe"),
    ),
    "git's configuration": (
        Sign(Form.SECTION, "core remote branch submodule merge push"),
        Sign(Form.KEY, "repositoryformatversion bare"),
    ),
    "the configuration of Azure's cloud provider": (
        Sign(
            Form.JSON,
            "aadClientId aadClientSecret tenantId subscriptionId resourceGroup useManagedIdentityExtension AzurePublicCloud",
            DECISIVE,
        ),
        Sign(Form.YAML, "tenantId subscriptionId aadClientId", DECISIVE),
    ),
    "the configuration of Nutanix's cloud provider": (Sign(Form.JSON, "prismCentral", DECISIVE),),
    "the configuration of Alibaba's cloud provider": (
        Sign(Form.JSON, "accessKeyID accessKeySecret vswitchid", DECISIVE),
    ),
    "the configuration of KubeVirt's cloud provider": (Sign(Form.YAML, "kubeconfig", DECISIVE),),
    "the configuration of OCI's cloud provider": (Sign(Form.YAML, "useInstancePrincipals compartment", DECISIVE),),
    "the configuration of Exoscale's cloud provider": (Sign(Form.YAML, "apiKey apiSecret", DECISIVE),),
    "another cloud provider's configuration": (Sign(Form.YAML, "instances", DECISIVE),),
    "another program's configuration": (Sign(Form.JSON, "kubernetesVersion", DECISIVE),),
    "cloud-init's data": (
        Sign(Form.MATCH, "#cloud-config", DECISIVE, "#cloud-config\n"),
        Sign(
            Form.YAML,
            "runcmd bootcmd write_files packages users ssh_authorized_keys coreos rancher datasource_list",
            DECISIVE,
        ),
    ),
    f"{ENCRYPTED_BY}Ansible Vault": (Sign(Form.MATCH, r"\s*+\$ANSIBLE_VAULT;", DECISIVE, "$ANSIBLE_VAULT;1.1\n"),),
    f"{ENCRYPTED_BY}SOPS": (
        Sign(Form.MATCH, r"\s*+ENC\[", DECISIVE, "ENC[AES256_GCM,data:x]"),
        Sign(Form.MATCH, r"\s*+\{(?s:(?=.*\"sops\")(?=.*\"ENC\[))", DECISIVE, '{"a": "ENC[x]", "sops": {}}'),
    ),
    f"{ENCRYPTED_BY}age": (
        Sign(
            Form.MATCH,
            r"\s*+(?:-----BEGIN AGE ENCRYPTED FILE-----|age-encryption\.org/v1)",
            DECISIVE,
            "age-encryption.org/v1\n",
        ),
    ),
    f"{ENCRYPTED_BY}PGP": (
        Sign(Form.MATCH, r"\s*+-----BEGIN PGP MESSAGE-----", DECISIVE, "-----BEGIN PGP MESSAGE-----\n"),
    ),
    f"{ENCRYPTED_BY}git-crypt": (Sign(Form.MATCH, "\0GITCRYPT\0", DECISIVE, "\0GITCRYPT\0"),),
}
"""The programs in the order in which a draw is decided. Patterns count only in a text that has none of the CCM's keys."""
